"""What pods request, which nodes they may run on, and which of them are daemons of a node."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple

from muster.blueprint.gpu_sharing import GPU, gpu_sharing
from muster.blueprint.labels import INSTANCE_TYPE
from muster.blueprint.node import EFA_RESOURCE, NEURON_CORES
from muster.blueprint.node_settings import NodeSettings
from muster.finding import Finding, KeyPath, parse_dotted_path
from muster.fleet.resources import Fleet, InstanceGroup, NodeGroup, PodOwner, PodTemplate
from muster.hardware.allocatable import kube_reserved_cpu_millicores, kube_reserved_memory_mib
from muster.hardware.catalogue import Accelerator, Hardware, UnknownInstance, hardware
from muster.hardware.huge_pages import PAGE
from muster.jobs.manifest import MalformedJob
from muster.jobs.pod_requests import PodRequests, pod_requests
from muster.kubernetes_quantity import CPU, MIB, Quantity, base_units
from muster.object_cache import cached_by_identity
from muster.plain_data import as_list, mappings_at, value_at
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import NEURON, PartKind
from muster.policies.lookups.installed_addons import parts
from muster.policies.lookups.launch_templates import settings_of, template_of
from muster.policies.lookups.pod_placement import NodeKind, known_constraints, node_kinds, schedulable
from muster.scheduling.fit import Schedulable
from muster.scheduling.requirements import Operator
from muster.unknown import NotKnown, has_unknown, if_known
from muster.whole_number import whole_number

NEURON_DEVICES = (NEURON, "aws.amazon.com/neurondevice")
"""The second is the older name of the first."""
ACCELERATORS = (GPU, *NEURON_DEVICES)
DEVICES = (*ACCELERATORS, NEURON_CORES, EFA_RESOURCE)

ACROSS_NODES = frozenset(
    {"HyperPodPyTorchJob", "JobSet", "LeaderWorkerSet", "MPIJob", "PyTorchJob", "TFJob", "TrainJob", "XGBoostJob"}
)
"""Kinds whose pods work together across nodes, if there are several; of other kinds, only pods that request EFA do."""

_OF_RESOURCES = ("containers", "initContainers", "resources", "overhead")


Judge = Callable[[PodTemplate, PodOwner, Fleet, Rule], Iterator[Verdict]]


def of_each_template(judge: Judge) -> Callable[[PodOwner, Fleet, Rule], Iterator[Verdict]]:
    """The rule that judges the pod templates of an owner, each for itself."""

    @wraps(judge)
    def judge_all(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
        return rule.each(
            owner.templates, lambda each: _located(judge(each, owner, fleet, rule), each.path), owner.place
        )

    return judge_all


def _located(verdicts: Iterator[Verdict], path: str) -> Iterator[Verdict]:
    """Verdicts with the place of the template: an object may have several."""
    for each in verdicts:
        inside = isinstance(each, Finding) and each.inside
        yield each if inside or not isinstance(each, Finding) else replace(each, inside=parse_dotted_path(path))


def containers(template: PodTemplate) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The containers that are known, each with its path."""
    for kind in ("containers", "initContainers"):
        for index, each in enumerate(mappings_at(template.spec, kind)):
            yield f"{template.path}.{kind}[{index}]", each


def command_of(template: PodTemplate) -> str:
    """The commands of its containers, as far as they are known."""
    words = (
        word
        for _, container in containers(template)
        for key in ("command", "args")
        for word in as_list(container.get(key))
    )
    return " ".join(_COMMENT.sub("", word) for word in words if isinstance(word, str))


class Variable(NamedTuple):
    """An environment variable of a pod, with its known value."""

    name: str
    value: str
    at: KeyPath
    """Its place in the object."""
    shown: str
    """``spec.template.spec.containers[0]``"""


def variables(template: PodTemplate, names: Collection[str]) -> Iterator[Variable]:
    """The environment variables with these names that a template sets: under `env`, and in commands, as ``export A=b``
    and mpirun's ``-x A=b`` do. Values that are not known are left out."""
    for shown, container in containers(template):
        at = parse_dotted_path(shown)
        for index, each in enumerate(mappings_at(container, "env")):
            name, value = each.get("name"), each.get("value")
            if isinstance(name, str) and name in names and isinstance(value, str):
                yield Variable(name, value.strip(), (*at, "env", index), shown)
        for key in ("command", "args"):
            for index, text in enumerate(as_list(container.get(key))):
                for name, value in _assigned(text) if isinstance(text, str) else ():
                    if name in names and "$" not in value:
                        yield Variable(name, value, (*at, key, index), shown)


_ASSIGNMENT = re.compile(
    r"""(?:^|(?<=[\s;&,"']))([A-Z][A-Z0-9_]{0,60})=("[^"\n]*"|'[^'\n]*'|[^\s"';&|]*)""", re.MULTILINE
)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


def _assigned(text: str) -> Iterator[tuple[str, str]]:
    """The variables that a command sets, without those of comments."""
    for name, value in _ASSIGNMENT.findall(_COMMENT.sub("", text)):
        yield name, value.strip("\"'")


def value_of(template: PodTemplate, name: str) -> str:
    """The value of an environment variable that a template sets; empty if it is not set, or not known."""
    return next((each.value for each in variables(template, {name})), "")


class NodeCount(NamedTuple):
    """The number of nodes that torchrun waits for, and the number that it accepts."""

    least: int
    most: int


_NNODES = re.compile(r"--nnodes[= ]+(\d{1,6})(?::(\d{1,6}))?(?=\s|$)")


def torchrun_nodes(template: PodTemplate) -> NodeCount | None:
    """The nodes of `--nnodes`, or of the variable that torchrun reads in its place; None if neither is known."""
    found = _NNODES.search(command_of(template)) or _NNODES.search(f"--nnodes {value_of(template, 'PET_NNODES')}")
    least, most = (whole_number(found[1]), whole_number(found[2])) if found else (None, None)
    return None if least is None else NodeCount(least, least if most is None else most)


def requests_of(template: PodTemplate) -> PodRequests:
    """What one pod requests.

    Raises:
        NotKnown: a request is not known, or is not one that Kubernetes accepts.
    """
    read = {key: _resources(template.spec.get(key)) for key in _OF_RESOURCES}
    if has_unknown(read):
        raise NotKnown(f"the resource requests of the pods of {template.path}", template)
    try:
        return pod_requests(read, (template.path,))
    except MalformedJob as fault:
        raise NotKnown(str(fault)) from fault


LAUNCHER = ".Launcher."
"""In the path of the template of an MPIJob's launcher."""


def only_launches(template: PodTemplate, owner: PodOwner) -> bool:
    """Whether its pod is the launcher of an MPIJob, which only runs mpirun."""
    return owner.kind == "MPIJob" and LAUNCHER in template.path and not owner.launcher_works


def several_with_accelerators(owner: PodOwner) -> bool:
    """Whether several of its pods request accelerators. A single one does not communicate with other nodes."""
    certain = sum(if_known(lambda: _with_accelerators(each), 0) for each in owner.templates)
    return certain > 1 or sum(map(_with_accelerators, owner.templates)) > 1


def _with_accelerators(template: PodTemplate) -> int:
    """The number of pods of a template, if they request accelerators."""
    return 0 if requests_of(template).keys().isdisjoint(ACCELERATORS) else template.pods


def _resources(value: Any) -> Any:
    """For containers, only the fields that determine their requests; any other value unchanged."""
    if not isinstance(value, list):
        return value
    return [
        {key: each.get(key) for key in ("resources", "restartPolicy")} if isinstance(each, Mapping) else each
        for each in value
    ]


def nodes_for(template: PodTemplate, fleet: Fleet) -> tuple[NodeKind, ...]:
    """The nodes of the fleet that its pods may run on. If there are none, nodes of the types that its selector or
    affinity names, which another program may create.

    Nodes without the accelerators that a pod requests are left out, whatever the pod tolerates.
    """
    spec = _as_admitted(template.spec)
    here = tuple(spot for spot in node_kinds(fleet) if schedulable(spec, spot) is not Schedulable.NO)
    requested = [each for each in requests_of(template) if each in ACCELERATORS]
    having = tuple(spot for spot in here if all(device_count(spot, each, fleet) for each in requested))
    return (
        having
        or here
        or tuple(
            NodeKind(machine.instance, machine, {INSTANCE_TYPE: machine.instance}, frozenset(), whole=False)
            for machine in _named(spec)
        )
    )


@cached_by_identity(1024)
def _as_admitted(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """A pod's spec with the tolerations that EKS adds: of a taint with the name of a device that it requests, by the
    admission plugin ExtendedResourceToleration (EKS user guide, platform-versions)."""
    tolerations = spec.get("tolerations")
    if has_unknown(tolerations):
        return spec
    named = if_known(lambda: requests_of(PodTemplate("", spec)), {})
    added = [{"key": each, "operator": "Exists", "effect": "NoSchedule"} for each in named if "/" in each]
    return {**spec, "tolerations": [*as_list(tolerations), *added]} if added else spec


def known_nodes_for(template: PodTemplate, fleet: Fleet) -> tuple[NodeKind, ...]:
    """The nodes that its pods may run on, at least one.

    Raises:
        NotKnown: there are none.
    """
    if not (nodes := nodes_for(template, fleet)):
        raise NotKnown(f"the nodes for {template.path}; `muster check STACK FILE` takes them from a stack")
    return nodes


def _named(spec: Mapping[str, Any]) -> Iterator[Hardware]:
    """The instance types that a pod selects by label, with or without `ml.`."""
    constraints, _ = known_constraints(spec)
    for each in constraints.requirements if constraints else ():
        for value in each.values if (each.key, each.operator) == (INSTANCE_TYPE, Operator.IN) else ():
            try:
                yield hardware(str(value).removeprefix("ml."))
            except UnknownInstance:
                continue


def device_count(spot: NodeKind, resource: str, fleet: Fleet) -> int:
    """The number of devices of a kind that a node offers."""
    machine = spot.machine
    if resource == EFA_RESOURCE:
        return efa_of(spot, fleet)
    if resource == NEURON_CORES:
        return max(machine.neuron_cores, machine.neuron_cores_lnc2 or 0)
    kind = {GPU: Accelerator.GPU, **dict.fromkeys(NEURON_DEVICES, Accelerator.NEURON)}[resource]
    if machine.accelerator is not kind:
        return 0
    return machine.accelerators * (_copies(spot, fleet) if resource == GPU else 1)


def _copies(spot: NodeKind, fleet: Fleet) -> int:
    """How often the device plugin offers each GPU as nvidia.com/gpu. If it shares GPUs, more than once, or not at
    all."""
    for part in parts(fleet, PartKind.NVIDIA_PLUGIN):
        if all(schedulable(pod, spot) is Schedulable.NO for pod in part.pods):
            continue
        if sharing := gpu_sharing(part.values, spot.known_labels):
            return 0 if sharing.renamed else sharing.replicas
    return 1


def efa_of(spot: NodeKind, fleet: Fleet) -> int:
    """The number of EFA interfaces of a node: its template's; on HyperPod, or if another program creates its group, all
    that its type has."""
    if spot.group is None or isinstance(spot.group, InstanceGroup):
        return spot.machine.max_efa
    template = template_of(spot.group, fleet)
    return sum(nic.is_efa for nic in template.interfaces) if template else 0


def most_for_pods(spot: NodeKind, fleet: Fleet) -> dict[str, int]:
    """The most CPU and memory of a node, in base units, before the hypervisor and daemons take their part."""
    machine, settings = spot.machine, _settings(spot, fleet)
    reserved = {CPU: kube_reserved_cpu_millicores(machine.vcpus), "memory": kube_reserved_memory_mib(0) * MIB}
    there = {CPU: machine.vcpus * 1000, "memory": machine.memory_mib * MIB}
    pages = (settings.huge_pages or 0) * PAGE.mib * MIB
    return {
        resource: there[resource]
        - amount_of(settings.kubelet.get("kubeReserved"), resource, reserved[resource])
        - amount_of(settings.kubelet.get("systemReserved"), resource, 0)
        - (pages if resource == "memory" else 0)
        for resource in there
    }


def _settings(spot: NodeKind, fleet: Fleet) -> NodeSettings:
    """What the user data of a node sets. Of nodes of a description, or without a launch template in the document, only
    what is known counts."""
    group = spot.group
    template = if_known(lambda: template_of(group, fleet)) if isinstance(group, NodeGroup) else None
    if template and not template.place.described:
        return settings_of(group, fleet)
    return if_known(lambda: settings_of(group, fleet), NodeSettings())


def amount_of(amounts: object, resource: str, otherwise: int) -> int:
    """The amount of a resource in a block of amounts, in base units; the default where it has none."""
    try:
        return base_units(resource, Quantity.parse(value_at(amounts, resource)))
    except ValueError:
        return otherwise
