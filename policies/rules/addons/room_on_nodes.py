"""The pods, CPU and memory that add-ons and EKS itself need on nodes, compared with what nodes have.

The rules count only what is certain to run: the workloads of the catalog's add-ons with their values, EKS's daemons and
CoreDNS. What a foreign chart runs is unknown. So a finding is certain, but there may be faults without a finding.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import Field

from muster.addons.eks_daemons import COREDNS, DAEMONS
from muster.addons.workload import Workload
from muster.config.description.node_group import Purpose
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, ControlPlane, EksAddon, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.allocatable import allocatable, hyperpod_allocatable
from muster.hardware.catalogue import Incomplete
from muster.identity_cache import cached_by_identity
from muster.kubernetes_quantity import MIB, format_amounts
from muster.policies.engine.finding_text import and_list, first_names, quantity_text
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.device_plugins import labelled_node_kinds, labelled_node_kinds_of
from muster.policies.lookups.installed_addons import catalogued
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import capped, pods_of, slots_of
from muster.policies.lookups.scheduling import NodeKind, Schedulable, schedulable
from muster.scheduling.resources import left, shortages, times, total
from muster.size import Size
from muster.unknown import has_unknown

POD, CPU, MEMORY = "pods", "cpu", "memory"
_OF = {POD: "pods", CPU: "CPU", MEMORY: "memory"}


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """Pods of one kind with the requests of each: pods, CPU in millicores, memory in bytes."""

    name: str
    workload: Workload
    each: Mapping[str, int]

    @property
    def total(self) -> dict[str, int]:
        """The requests of all its replicas."""
        return times(self.workload.replicas, self.each)


@cached_by_identity(4)
def loads(fleet: Fleet) -> tuple[Load, ...]:
    """What the add-ons of the catalog run, and CoreDNS."""
    return tuple(_loads(fleet))


def _loads(fleet: Fleet) -> Iterator[Load]:
    for addon in fleet.of(Addon):
        known = catalogued(addon)
        if known is None or has_unknown(addon.values):
            continue
        try:
            runs = known.workloads(addon.values)
        except (AttributeError, KeyError, TypeError):
            continue  # addon-values-have-a-form reports these values
        for workload in runs:
            yield Load(f"{addon.ref.name}'s {workload.name}", workload, _requests_of(workload))
    if any(each.name == "coredns" for each in fleet.of(EksAddon)):
        yield Load("CoreDNS", COREDNS, _requests_of(COREDNS))


def _requests_of(workload: Workload) -> dict[str, int]:
    try:
        requests = workload.requests
    except (AttributeError, TypeError, ValueError):
        requests = {}  # the API server refuses these requests
    return {POD: 1, CPU: requests.get(CPU, 0), MEMORY: requests.get(MEMORY, 0)}


def daemons_on(spot: NodeKind, fleet: Fleet) -> list[tuple[str, Mapping[str, int]]]:
    """The daemons on every node of a kind: name and requests."""
    installed = {str(each.name) for each in fleet.of(EksAddon)}
    found: list[tuple[str, Mapping[str, int]]] = [
        (each.name, {POD: each.pods, CPU: each.cpu_millicores, MEMORY: each.memory_mib * MIB})
        for each in DAEMONS
        if each.addon in installed
    ]
    found += [(each.name, each.each) for each in loads(fleet) if _is_daemon_on(each, spot)]
    return found


def _is_daemon_on(load: Load, spot: NodeKind) -> bool:
    return load.workload.kind == "DaemonSet" and schedulable(load.workload.placement.pod_spec, spot) is Schedulable.YES


def room_on(spot: NodeKind, fleet: Fleet) -> dict[str, int] | None:
    """What one node has for pods; None if that is not known."""
    if spot.group is None:
        return None
    if isinstance(spot.group, InstanceGroup):
        return _room_on_hyperpod(spot)
    template, missing = template_of(spot.group, fleet)
    slots, unseen = slots_of(template)
    if missing or unseen or template is None:
        return None
    try:
        most = pods_of(spot.machine, slots, capped=capped(spot.group, template))[0]
    except Incomplete:
        return None
    room = allocatable(spot.machine, slots, Size(0))
    if room.memory_mib is None:
        return None
    pods = template.max_pods if isinstance(template.max_pods, int) else most
    return {POD: pods, CPU: room.cpu_millicores, MEMORY: room.memory_mib * MIB}


def _room_on_hyperpod(spot: NodeKind) -> dict[str, int] | None:
    room = hyperpod_allocatable(spot.machine, Size(0))
    if room.pods is None or room.memory_mib is None:
        return None
    return {POD: room.pods, CPU: room.cpu_millicores, MEMORY: room.memory_mib * MIB}


def groups_for(load: Load, fleet: Fleet) -> set[str]:
    """The groups that an operator may run on."""
    spec = load.workload.placement.pod_spec
    return {spot.name for spot in labelled_node_kinds(fleet) if schedulable(spec, spot) is not Schedulable.NO}


def nodes_now(group: KubernetesGroup) -> int | None:
    """The number of nodes that is certain: the most that an autoscaler may reach, else the number at the start. None if
    it is not known."""
    number = group.nodes_max if group.scaled_by is not None else group.nodes_start
    return number if isinstance(number, int) else None


def shortfall(wanted: Mapping[str, int], there: Mapping[str, int]) -> list[str]:
    """The resources that do not suffice: ``4 pods (available: 2)``, ``8200m CPU (available: 7910m)``."""
    found = []
    for resource, few in shortages(wanted, there).items():
        many, left_over = format_amounts(resource, wanted[resource], max(few, 0))
        found.append(f"{many} {_OF[resource]} (available: {left_over})")
    return found


class Room(Options):
    """What the daemons must leave for jobs."""

    cpus: int = Field(
        default=0,
        ge=0,
        description="Number of CPUs that daemons must leave for jobs on every node outside system groups. Default: 0.",
    )
    memory_gib: int = Field(
        default=0,
        ge=0,
        description="Memory that daemons must leave for jobs on every node outside system groups, in GiB. Default: 0.",
    )


@rule(
    "daemons-fit-nodes",
    title="A node has room for the daemons of the add-ons and for one more pod",
    judges=NodeGroup | InstanceGroup,
    backends=ON_KUBERNETES,
    why="Daemons start first. If they fill a node, no pod of a job ever fits. If they do not fit themselves, a device "
    "or network plugin is missing there.",
    source="addons/ and addons/eks_daemons.py; awslabs/amazon-eks-ami nodeadm (allocatable); "
    "awslabs/ai-on-sagemaker-hyperpod#142",
    remedy="Use a larger instance type, or remove add-ons.",
    facts=("pains.md#19", "hardware.md#R10"),
    options=Room,
)
def daemons_fit_nodes(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.purpose is None:
        return  # what another program's cluster runs is not known
    for spot in labelled_node_kinds_of(group, fleet):
        room, daemons = room_on(spot, fleet), daemons_on(spot, fleet)
        if room is None:
            yield rule.unjudged(group.place, "the allocatable resources of its nodes")
            continue
        kept = Room() if group.purpose is Purpose.SYSTEM else Room.of(rule.settings)
        job = {POD: 1, CPU: 1000 * kept.cpus, MEMORY: 1024 * MIB * kept.memory_gib}
        short = shortfall(total([job, *(requests for _, requests in daemons)]), room)
        if short:
            yield rule.finding(
                group.place,
                at="instance",
                got=f"{first_names(sorted(name for name, _ in daemons))}, plus one pod of a job, need "
                f"{', '.join(short)} on a {spot.machine.instance}",
                remedy="use a larger instance type, or lower the requests of the add-ons",
            )


@rule(
    "operators-fit-nodes",
    title="The nodes for operators have room for all of them, in addition to CoreDNS and the daemons",
    judges=ControlPlane,
    backends=ON_KUBERNETES,
    why="On a type that is too small, pod addresses run out first (at most 14 pods): the last operator never starts, "
    "nor does the webhook that every job needs.",
    source="awslabs/ai-on-sagemaker-hyperpod#142; addons/ and addons/eks_daemons.py",
    remedy="Use more nodes, or a larger instance type, for the system group.",
    facts=("pains.md#19", "hardware.md#R10"),
)
def operators_fit_nodes(plane: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = {group.ref.name: group for group in fleet.kubernetes_groups}
    if plane.existing or not groups or any(group.purpose is None for group in groups.values()):
        return  # it has other nodes, which this program does not create
    if not all(labelled_node_kinds_of(group, fleet) for group in groups.values()):
        yield rule.unjudged(plane.place, "the instance types of every group")
        return
    places = {load: groups_for(load, fleet) for load in loads(fleet) if load.workload.kind == "Deployment"}
    operators = [load for load, names in places.items() if names]
    chosen = {name for names in places.values() for name in names}
    spots = [spot for spot in labelled_node_kinds(fleet) if spot.name in chosen]
    rooms = {spot: _left(spot, fleet) for spot in spots}
    if None in rooms.values():
        yield rule.unjudged(plane.place, "the allocatable resources of the nodes for operators")
        return
    if not spots or not operators:
        return  # untainted-group reports that no node accepts them
    there = total(room for room in rooms.values() if room)
    short = shortfall(total(load.total for load in operators), there)
    if short:
        nodes = sum(nodes_now(groups[name]) or 0 for name in chosen)
        at = f"groups.{min(chosen)}"
        yield rule.finding(
            plane.place,
            at=at,
            got=f"{first_names(sorted(load.name for load in operators))} need {', '.join(short)} in addition to the "
            f"daemons on {quantity_text(nodes, 'node')} of {and_list(chosen)}",
            remedy=f"use more nodes, or a larger instance type, for {min(chosen)}",
        )
        return
    yield from _too_large(plane, operators, spots, fleet, rule)


def _left(spot: NodeKind, fleet: Fleet) -> dict[str, int] | None:
    """The resources that the daemons leave on all nodes of a kind."""
    room, nodes = _left_on_one(spot, fleet), nodes_now(spot.group) if spot.group else None
    return None if room is None or nodes is None else times(nodes, room)


def _left_on_one(spot: NodeKind, fleet: Fleet) -> dict[str, int] | None:
    room = room_on(spot, fleet)
    return None if room is None else left(room, total(requests for _, requests in daemons_on(spot, fleet)))


def _too_large(
    plane: ControlPlane, operators: list[Load], spots: list[NodeKind], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """The findings about operators for which no single node has room."""
    for load in operators:
        here = [spot for spot in spots if schedulable(load.workload.placement.pod_spec, spot) is not Schedulable.NO]
        rooms = {spot.name: _left_on_one(spot, fleet) for spot in here}
        short = {name: shortfall(load.each, room) for name, room in rooms.items() if room is not None}
        if short and all(short.values()):
            name, few = min(short.items())
            yield rule.finding(
                plane.place,
                at=f"groups.{name}",
                got=f"{load.name} needs {', '.join(few)} in addition to the daemons on a node of {name}",
                remedy=f"use a larger instance type for {name}",
            )
