"""What rules read of pods: what they ask of a node, and which nodes of the fleet they are for."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.hardware import Accelerator, Hardware, UnknownInstance, hardware
from muster.fleet.labels import INSTANCE_TYPE
from muster.fleet.matching import terms
from muster.fleet.node import EFA_RESOURCE, NEURON_CORES
from muster.fleet.resources import Fleet, InstanceGroup, PodOwner, PodTemplate
from muster.fleet.unknown import UNKNOWN
from muster.jobs.asks import Asks, asks
from muster.jobs.reading import MalformedJob
from policies.reading.landing import Lands, Spot, lands, spots
from policies.reading.templates import interfaces_of, template_of
from policies.reading.unknowns import found_at, mappings_at, veiled

GPU, NEURON = "nvidia.com/gpu", "aws.amazon.com/neuron"
NEURON_DEVICES = (NEURON, "aws.amazon.com/neurondevice")
"""The second is the Neuron plugin's older name for the first."""
ACCELERATORS = (GPU, *NEURON_DEVICES)
DEVICES = (*ACCELERATORS, NEURON_CORES, EFA_RESOURCE)

_OF_RESOURCES = ("containers", "initContainers", "resources", "overhead")


def containers(template: PodTemplate) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The containers that are known, each with where it stands."""
    for kind in ("containers", "initContainers"):
        for index, each in enumerate(mappings_at(template.spec, kind)):
            yield f"{template.path}.{kind}[{index}]", each


def asks_of(template: PodTemplate) -> tuple[Asks, str]:
    """What one pod asks of its node, and what is missing to know."""
    if template.spec is UNKNOWN:
        return {}, f"{template.path}, not known before creation"
    read = {key: _resources(template.spec.get(key)) for key in _OF_RESOURCES}
    if veiled(read):
        return {}, f"what the pods of {template.path} ask, not known before creation"
    try:
        return asks(read, template.path), ""
    except MalformedJob as fault:
        return {}, str(fault)


def _resources(value: Any) -> Any:
    """Of containers what decides their asks; anything else as it is."""
    if not isinstance(value, list):
        return value
    return [
        {key: each.get(key) for key in ("resources", "restartPolicy")} if isinstance(each, Mapping) else each
        for each in value
    ]


def each_pod(owner: PodOwner) -> Iterator[tuple[PodTemplate, Asks, str]]:
    """The pods of an object, with what they ask, and what is missing to know."""
    for template in owner.templates:
        yield (template, *asks_of(template))


def nodes_for(template: PodTemplate, fleet: Fleet) -> tuple[Spot, ...]:
    """The nodes of the fleet that its pods may be on; where there are none, nodes of the types that it names itself,
    which another program may make.

    Pods that ask for accelerators are on no node without them, whatever they tolerate: a group for the system beside
    the workers is no place for them.
    """
    spec = template.spec
    if spec is UNKNOWN:
        return ()
    here = tuple(spot for spot in spots(fleet) if lands(spec, spot) is not Lands.NO)
    asked = [each for each in asks_of(template)[0] if each in ACCELERATORS]
    having = tuple(spot for spot in here if all(has(spot, each, fleet) for each in asked))
    return (
        having
        or here
        or tuple(
            Spot(machine.instance, machine, {INSTANCE_TYPE: machine.instance}, frozenset(), whole=False)
            for machine in _named(spec)
        )
    )


def _named(spec: Mapping[str, Any]) -> Iterator[Hardware]:
    """The instance types that a pod asks for by label, `ml.` or not."""
    selected = found_at(spec, "nodeSelector", INSTANCE_TYPE)
    values = [selected] if isinstance(selected, str) else []
    if not veiled(spec.get("affinity")):
        wanted = _expressions(spec)
        values += [
            value
            for each in wanted
            if each.get("key") == INSTANCE_TYPE and each.get("operator") == "In"
            for value in each.get("values") or ()
        ]
    for each in values:
        try:
            yield hardware(str(each).removeprefix("ml."))
        except UnknownInstance:
            continue


def _expressions(spec: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    try:
        return [each for term in terms(spec) or () for each in term.labels if isinstance(each, Mapping)]
    except (AttributeError, TypeError):
        return []  # of no form that the API server takes


def has(spot: Spot, resource: str, fleet: Fleet) -> int | None:
    """How much of a device a node has; None where that is not known."""
    machine = spot.machine
    if resource == EFA_RESOURCE:
        return efa_of(spot, fleet)
    if resource == NEURON_CORES:
        return max(machine.neuron_cores, machine.neuron_cores_lnc2 or 0)
    kind = {GPU: Accelerator.GPU, **dict.fromkeys(NEURON_DEVICES, Accelerator.NEURON)}[resource]
    return machine.accelerators if machine.accelerator is kind else 0


def lacks(spot: Spot, wanted: Mapping[str, int], fleet: Fleet) -> dict[str, int] | None:
    """The devices that a node has too few of, with how many it has; None where that is not known."""
    there = {resource: has(spot, resource, fleet) for resource in wanted}
    if None in there.values():
        return None
    return {resource: number for resource, number in there.items() if number is not None and number < wanted[resource]}


def efa_of(spot: Spot, fleet: Fleet) -> int | None:
    """The EFA interfaces of a node: its template's; what its type has, on HyperPod, and where its group is not here."""
    if spot.group is None or isinstance(spot.group, InstanceGroup):
        return spot.machine.max_efa
    template, missing = template_of(spot.group, fleet)
    if template is None:
        return None if missing else 0
    _, missing = interfaces_of(template, "type")
    return None if missing else len(template.efa_interfaces)
