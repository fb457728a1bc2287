"""The workers of a job: their group, their number, and the share of a node that each requests."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from muster.addons.catalogue import neuron_device_plugin
from muster.addons.context import AddonContext
from muster.addons.daemon_sets import daemon_sets_on, deployments_on, used_of
from muster.addons.values import at, values_of
from muster.blueprint import labels
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE, Node
from muster.hardware.allocatable import certain
from muster.hardware.catalogue import Accelerator
from muster.hardware.huge_pages import NCCL_JOB, PAGE
from muster.jobs import group_selection
from muster.jobs.device_claims import (
    DeviceClaim,
    alignment_note,
    claim_templates,
    container_claims,
    device_claims,
    pod_claims,
)
from muster.jobs.group_selection import DoesNotFit, NoGroup, missing_addons, node_count, selector, tolerations
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.kubernetes_quantity import MIB
from muster.size import Size

MEMORY = Size(32000)
"""The request of the EKS guide's NCCL test; NCCL's buffers and those of the test need no more."""

RESERVED_FOR_OTHERS = Size(1024)
"""The part of a node's memory that stays free if no amount is given: for DaemonSets, and for pods of users."""

SHARED_MEMORY = "/dev/shm"  # noqa: S108  (in the container, where NCCL looks for it)


@dataclass(frozen=True, slots=True)
class NodeShare:
    """A worker's share of its node."""

    node: Node
    devices: int
    """Accelerators: GPUs, or Neuron devices."""
    efa: int
    huge_pages: Size
    memory: Size
    claims: tuple[DeviceClaim, ...] = ()
    """Its claims for the devices that DRA drivers offer."""
    scheduler: str | None = None
    """The scheduler that must place it, if the default one might choose devices that are not adjacent."""
    notes: tuple[str, ...] = ()
    """Notes for the user, one line each."""

    @property
    def whole(self) -> bool:
        """Whether it has all accelerators of the node, so that no second worker fits beside it."""
        return self.devices == self.node.hardware.accelerators

    @property
    def cores(self) -> int:
        """The Neuron cores of its devices, as processes count them."""
        machine = self.node.hardware
        cores = machine.neuron_cores_lnc2 or machine.neuron_cores
        return cores * self.devices // machine.accelerators if machine.accelerators else 0

    @property
    def resources(self) -> dict[str, int | str]:
        """The requests of a container, without the devices that it claims.

        It requests no CPU, as in the EKS guide: the worker has the whole node, and a request might not fit beside the
        node's DaemonSets. (Huge pages need a request for CPU or memory beside them, and it requests memory.)
        """
        claimed = {resource for claim in self.claims for resource in claim.devices}
        accelerators = {} if self.node.hardware.resource_name in claimed else self.node.accelerators(self.devices)
        return {
            **accelerators,
            # If there are no huge pages, libfabric uses ordinary pages; a request for "0Mi" has no effect.
            **({HUGE_PAGES_RESOURCE: self.huge_pages.kubernetes} if self.huge_pages.mib else {}),
            **({EFA_RESOURCE: self.efa} if self.efa and EFA_RESOURCE not in claimed else {}),
            "memory": self.memory.kubernetes,
        }

    @property
    def requests_and_limits(self) -> dict[str, Any]:
        """A container's `resources`: requests and limits are equal. Claims come first."""
        return {**container_claims(self.claims), "limits": self.resources, "requests": self.resources}

    @property
    def shared_memory(self) -> dict[str, Any]:
        """A volume for /dev/shm in the worker's memory: half of it, which is the default of tmpfs.

        Documents mount the node's own /dev/shm (hostPath). A memory-backed emptyDir does the same for NCCL, needs no
        host access (Pod Security "baseline" refuses hostPath), and leaves no segments of a killed run behind.
        """
        return {"name": "shmem", "emptyDir": {"medium": "Memory", "sizeLimit": Size(self.memory.mib // 2).kubernetes}}


def node_share(
    blueprint: Blueprint,
    group: KubernetesGroup,
    ask: JobOptions = NO_OPTIONS,
    *,
    memory: Size | None = MEMORY,
    pages: bool = True,
) -> NodeShare:
    """A worker's share of a node of this group, according to the options.

    Args:
        blueprint: the cluster.
        group: one of its groups.
        ask: the options.
        memory: the default memory of a worker, or all that others leave if that is less; None for all.
        pages: whether it uses huge pages by default.

    Raises:
        DoesNotFit: a node has less; every reason at once, each with its arithmetic.
    """
    node, room = group.node, _Room(blueprint, group)
    all_devices = node.hardware.accelerators
    devices = all_devices if ask.devices is None else ask.devices
    reasons = [*_devices(room, ask), *_amounts(room, ask)]
    if reasons:
        raise DoesNotFit(*reasons)
    efa = node.efa if devices == all_devices else node.efa * devices // all_devices
    made = NodeShare(
        node=node,
        devices=devices,
        efa=efa if ask.efa is None else ask.efa,
        huge_pages=_pages(node, devices, pages) if ask.huge_pages is None else ask.huge_pages,
        memory=_memory(room, devices, memory) if ask.memory is None else ask.memory,
        scheduler=_neurons_scheduler(blueprint) if _of_neighbours(node, devices) else None,
    )
    made = replace(made, claims=device_claims(node, devices, made.efa))
    return replace(made, notes=tuple(_shares_text(room, made, efa, ask)))


def worker_placement(group: KubernetesGroup) -> dict[str, Any]:
    """The placement of a worker: nodes of this group, with its taints tolerated; on HyperPod, only healthy nodes."""
    healthy = group_selection.HEALTHY_NODES if group.node.hyperpod else {}
    return {
        "nodeSelector": {
            labels.INSTANCE_TYPE: group.described.instance_type,
            **selector(group, labels.GROUP),
            **healthy,
        },
        **tolerations_of(group),
    }


def tolerations_of(group: KubernetesGroup) -> dict[str, Any]:
    """A pod's `tolerations` for a group's taints; empty if it has none."""
    listed = tolerations(group.taints)
    return {"tolerations": listed} if listed else {}


def count_devices(node: Node, number: int) -> str:
    """``8 GPUs``, ``1 Neuron device``."""
    word = "GPU" if node.hardware.accelerator is Accelerator.GPU else "Neuron device"
    return f"{number} {word}{'' if number == 1 else 's'}"


class _Room:
    """The resources of a group's node for workers: all of it, less the requests of its DaemonSets."""

    def __init__(self, blueprint: Blueprint, group: KubernetesGroup) -> None:
        self.blueprint, self.group, self.node = blueprint, group, group.node
        self.takers = daemon_sets_on(blueprint, group)

    @property
    def of_node(self) -> Size:
        """The memory of a node for pods: the memory that is certain, if no source states its number of pods."""
        memory = certain(self.node.hardware, self.node.allocatable).memory_mib
        assert memory is not None, "the memory that is certain is known"
        return Size(memory)

    @property
    def memory(self) -> Size:
        """The free memory, rounded down to whole mebibytes."""
        return Size(self.of_node.mib - -(-used_of(self.takers, "memory") // MIB))

    @property
    def memory_for_all(self) -> Size:
        """The memory that stays free regardless of other pods. On HyperPod no taint keeps operators off accelerators:
        an operator that restarts may use memory of any node, and a job that needs this memory would wait."""
        most = min(self.memory, Size(self.of_node.mib - RESERVED_FOR_OTHERS.mib))
        visiting = -(-used_of(deployments_on(self.blueprint, self.group), "memory") // MIB)
        return Size(max(0, most.mib - visiting))

    def sum(self, has: str, resource: str, left: str) -> str:
        """The arithmetic, as text."""
        each = [(taker.name, taker.takes.get(resource, 0)) for taker in self.takers]
        # Muster's DaemonSets request only memory and huge pages, which are sizes; devices are numbers.
        words = ", ".join(
            f"{name} uses {-(-much // MIB)}Mi" if resource == "memory" else f"{name} uses {much}"
            for name, much in each
            if much
        )
        machine = self.node.hardware.instance
        rest = f", {words}, {left} left" if words else ""
        return f"a node of group '{self.group.name}' ({machine}) has {has}{rest}"

    def devices_left(self, resource: str, number: int) -> int:
        """The number of devices for workers."""
        return number - used_of(self.takers, resource)


def _devices(room: _Room, ask: JobOptions) -> Iterator[str]:
    """Why a node has fewer accelerators or interfaces than requested."""
    node, machine = room.node, room.node.hardware
    if ask.devices is not None:
        option = "--gpus" if machine.accelerator is Accelerator.GPU else "--devices"
        if not machine.resource_name:
            yield f"--devices {ask.devices}: {machine.instance} has no accelerators; leave out --devices"
        else:
            left = room.devices_left(machine.resource_name, machine.accelerators)
            whole = ask.devices == machine.accelerators
            if ask.devices < 1:
                yield f"{option} {ask.devices}: a worker needs at least 1 device"
            elif ask.devices > left:
                sum_ = room.sum(count_devices(node, machine.accelerators), machine.resource_name, f"{left} are")
                yield f"{option} {ask.devices} is more than a node has: {sum_}; give at most {left}"
            elif node.sharing and not whole:
                yield (
                    f"{option} {ask.devices}: the device plugin offers each GPU {node.sharing.replicas} times "
                    f"({node.sharing.how}), and may give a worker several copies of the same GPU; leave out {option}, "
                    "so that a worker requests all copies of all GPUs"
                )
            elif reason := _torus(node, ask.devices) or _unscheduled(room.blueprint, node, ask.devices):
                yield f"{option} {ask.devices}: {reason}"
    if node.sharing and node.sharing.one_only and machine.accelerators > 1:
        yield (
            f"the device plugin rejects pods that request more than one GPU ({node.sharing.how}); remove sharing from "
            f"its configuration for the nodes of group '{room.group.name}'"
        )
    if ask.efa is not None:
        left = room.devices_left(EFA_RESOURCE, node.efa)
        if ask.efa > left:
            word = f"{node.efa} EFA interface{'' if node.efa == 1 else 's'}"
            remedy = f"give at most {left}" if left else "leave out --efa"
            yield (
                f"--efa {ask.efa} is more than a node has: "
                f"{room.sum(word, EFA_RESOURCE, f'{left} are')} (interfaces: {room.group.described.layout.value}); "
                f"{remedy}"
            )


def _of_neighbours(node: Node, devices: int) -> bool:
    """Whether these devices must be adjacent: several Neuron devices, but not all of them."""
    machine = node.hardware
    return machine.accelerator is Accelerator.NEURON and 1 < devices < machine.accelerators


def _unscheduled(blueprint: Blueprint, node: Node, devices: int) -> str:
    """Why no scheduler would choose adjacent devices; empty if one does, or if the devices need not be adjacent."""
    options = blueprint.described.addons.chosen.get(neuron_device_plugin.ADDON.name)
    if not _of_neighbours(node, devices) or getattr(options, "scheduler", False):
        return ""
    return (
        "they must be adjacent, and only the Neuron scheduler extension chooses adjacent devices; "
        f"set `{neuron_device_plugin.ADDON.name}: {{scheduler: true}}` below addons:, "
        f"or request 1 or all {node.hardware.accelerators}"
    )


def _neurons_scheduler(blueprint: Blueprint) -> str:
    """The name of the scheduler that uses Neuron's extension, from the add-on's values."""
    values = values_of(neuron_device_plugin.ADDON, AddonContext.of_blueprint(blueprint))
    return str(at(values, "scheduler", "customScheduler", "fullnameOverride") or neuron_device_plugin.SCHEDULER)


def _torus(node: Node, devices: int) -> str:
    """Why the topology of a node does not support this part of its Neuron devices; empty if it does."""
    machine = node.hardware
    if not machine.neuron_parts or devices in machine.neuron_parts:
        return ""
    counts = ", ".join(map(str, machine.neuron_parts))
    return f"the devices of {machine.instance} are a torus: a pod can have only {counts} (Neuron documentation)"


def _amounts(room: _Room, ask: JobOptions) -> Iterator[str]:
    """Why a node has less memory, or fewer huge pages, than requested."""
    node = room.node
    if ask.memory is not None:
        has, left = room.of_node, room.memory
        if ask.memory > left:
            sum_ = room.sum(f"{has.kubernetes} of memory for pods", "memory", f"{left.kubernetes} is")
            beside = f" (not including its {node.huge_pages.kubernetes} of huge pages)" if node.huge_pages.mib else ""
            yield (
                f"--memory {ask.memory.kubernetes} is more than a node has: {sum_}{beside}; "
                f"give at most {left.kubernetes}"
            )
        elif not ask.memory.mib:
            yield "--memory 0Mi: a worker needs memory; give an amount such as --memory 8000Mi"
    pages = ask.huge_pages
    if pages is not None and pages.mib % PAGE.mib:
        below, above = pages.neighbours(PAGE.mib)
        yield f"--huge-pages {pages.kubernetes}: a page is 2Mi; give {below.kubernetes} or {above.kubernetes}"
    elif pages is not None and pages > node.huge_pages:
        sum_ = room.sum(
            f"{node.huge_pages.kubernetes} of huge pages", HUGE_PAGES_RESOURCE, f"{node.huge_pages.kubernetes} is"
        )
        yield (
            f"--huge-pages {pages.kubernetes} is more than a node has: {sum_}; give at most "
            f"{node.huge_pages.kubernetes}, or raise groups.{room.group.name}.huge-pages"
        )


def _pages(node: Node, devices: int, wanted: bool) -> Size:  # noqa: FBT001  (a single switch)
    """The guide's 5120Mi, or less if a node has less. For a part of a node, the same share of the pages."""
    return min(NCCL_JOB if wanted else Size(0), Size(_part(node.huge_pages.mib // PAGE.mib, node, devices) * PAGE.mib))


def _memory(room: _Room, devices: int, wanted: Size | None) -> Size:
    """The requested memory, or less if a node has less. For a part of a node, the same share."""
    left = Size(max(1, _part(room.memory_for_all.mib, room.node, devices)))
    return left if wanted is None else min(wanted, left)


def _part(amount: int, node: Node, devices: int) -> int:
    all_devices = node.hardware.accelerators
    return amount if devices == all_devices else amount * devices // all_devices


def _shares_text(room: _Room, made: NodeShare, efa: int, ask: JobOptions) -> Iterator[str]:
    """Notes on sizes that a user might not expect."""
    node, machine, devices = room.node, room.node.hardware, made.devices
    interfaces = f"EFA interface{'' if node.efa == 1 else 's'}"
    if devices != machine.accelerators:
        of = f"{devices} of {count_devices(node, machine.accelerators)}"
        gets = "gets" if devices == 1 else "get"
        if node.efa and ask.efa is None:
            yield f"{of} {gets} {efa} of {node.efa} {interfaces}"
        if (fit := _workers_on_a_node(room, made)) > 1:
            yield f"a worker with {of} leaves room on its node: up to {fit} workers may share a node"
    if note := alignment_note(node, made.claims):
        yield note
    if ask.efa is None or ask.efa == efa:
        return
    effect = "the others stay idle" if ask.efa < efa else "another worker on the node gets fewer"
    yield f"a worker's share is {efa} of the node's {node.efa} {interfaces}, but it gets {ask.efa}: {effect}"


def _workers_on_a_node(room: _Room, made: NodeShare) -> int:
    """The number of such workers that fit on a node, limited by its scarcest resource."""
    node, machine = room.node, room.node.hardware
    there = [
        (room.devices_left(machine.resource_name or "", machine.accelerators), made.devices),
        (room.devices_left(EFA_RESOURCE, node.efa), made.efa),
        (room.memory.mib, made.memory.mib),
        (node.huge_pages.mib, made.huge_pages.mib),
    ]
    return min(has // takes for has, takes in there if takes)


A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class WorkerSet:
    """Workers that fit their nodes."""

    group: KubernetesGroup
    count: int
    share: NodeShare
    ask: JobOptions
    job: str
    """The job's name."""

    @property
    def placement(self) -> dict[str, Any]:
        """The placement in a worker's pod spec: node selector, tolerations, scheduler, claims for devices."""
        scheduler = {"schedulerName": self.share.scheduler} if self.share.scheduler else {}
        return {**worker_placement(self.group), **scheduler, **pod_claims(self.share.claims, self.job)}

    def claim_templates(self, namespace: str | None) -> tuple[dict[str, Any], ...]:
        """The templates of the workers' claims, in the job's namespace; None if the job sets none."""
        return tuple(claim_templates(self.share.claims, self.job, namespace))


def worker_set(
    blueprint: Blueprint,
    ask: JobOptions,
    *,
    job: str,
    workers: Callable[[Blueprint, str | None], KubernetesGroup],
    addons: Callable[[KubernetesGroup | None], Iterable[str]],
    refuses: Callable[[KubernetesGroup, NodeShare], str] = lambda _group, _share: "",
    memory: Size | None = MEMORY,
    pages: bool = True,
) -> WorkerSet:
    """The workers of a job, according to the options.

    Args:
        blueprint: the cluster.
        ask: the options.
        job: the job's name, which the names of its claim templates begin with.
        workers: returns their group; raises `DoesNotFit`.
        addons: returns the add-ons that the job needs for a group, which is None if no group fits.
        refuses: returns why the job cannot run with such workers on this group; empty if it can.
        memory: the default memory of a worker; None: everything that the others leave.
        pages: whether it uses huge pages by default.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    try:
        group = workers(blueprint, ask.group)
    except NoGroup as fault:
        raise NoGroup(*fault.reasons, further=len(missing_addons(blueprint, addons(None)))) from None
    except DoesNotFit as fault:
        raise DoesNotFit(*missing_addons(blueprint, addons(None)), *fault.reasons) from None
    reasons, count, part = missing_addons(blueprint, addons(group)), 0, None
    try:
        part = node_share(blueprint, group, ask, memory=memory, pages=pages)
        if reason := refuses(group, part):
            reasons.append(reason)
    except DoesNotFit as fault:
        reasons += fault.reasons
    try:
        count = node_count(group, ask)
    except DoesNotFit as fault:
        reasons += fault.reasons
    if reasons or part is None:
        raise DoesNotFit(*reasons)
    return WorkerSet(group, count, part, ask, job)


def require_both(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """Both results that a job needs.

    Raises:
        DoesNotFit: one or both are not available; the exception has all reasons, or only those of `NoGroup`.
    """
    made: list[Any] = []
    reasons: list[str] = []
    no_group: NoGroup | None = None
    for each in (first, second):
        try:
            made.append(each())
        except NoGroup as fault:
            no_group = fault
        except DoesNotFit as fault:
            reasons += fault.reasons
    if no_group is not None:
        raise NoGroup(*no_group.reasons, further=no_group.further + len(reasons))
    if reasons:
        raise DoesNotFit(*reasons)
    return made[0], made[1]
