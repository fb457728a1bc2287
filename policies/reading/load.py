"""What add-ons and EKS itself put on nodes, against what nodes have: pods, CPU, memory.

Counted is what is sure to be there: the workloads of the catalogue's add-ons with their values, EKS's daemons and
CoreDNS. What a foreign chart runs is not known, so what is found is certain, and what is not found may still be.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from addons.eks_daemons import COREDNS, DAEMONS
from addons.workload import Workload
from muster.fleet.allocatable import allocatable, hyperpod_allocatable
from muster.fleet.amounts import MIB, amounts
from muster.fleet.hardware import Incomplete
from muster.fleet.quantity import Size
from muster.fleet.resources import Addon, EksAddon, Fleet, InstanceGroup
from muster.fleet.resources.fleet import KubernetesGroup
from policies.reading.catalogued import catalogued
from policies.reading.landing import Lands, Spot, lands
from policies.reading.machines import capped, pods_of, slots_of
from policies.reading.plugins import labelled_spots
from policies.reading.remembered import remembered
from policies.reading.templates import template_of
from policies.reading.unknowns import veiled

POD, CPU, MEMORY = "pods", "cpu", "memory"
_OF = {POD: "pods", CPU: "CPU", MEMORY: "memory"}


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """Pods of one kind and what each asks: pods, milli-CPUs, bytes."""

    name: str
    workload: Workload
    each: Mapping[str, int]

    @property
    def total(self) -> dict[str, int]:
        """Of all its replicas."""
        return {resource: number * self.workload.replicas for resource, number in self.each.items()}


@remembered(4)
def loads(fleet: Fleet) -> tuple[Load, ...]:
    """What the add-ons of the catalogue run, and CoreDNS."""
    return tuple(_loads(fleet))


def _loads(fleet: Fleet) -> Iterator[Load]:
    for addon in fleet.of(Addon):
        known = catalogued(addon)
        if known is None or veiled(addon.values):
            continue
        try:
            runs = known.workloads(addon.values)
        except (AttributeError, KeyError, TypeError):
            continue  # values of a form that the chart takes for none
        for workload in runs:
            yield Load(f"{addon.ref.name}'s {workload.name}", workload, _asked(workload))
    if any(each.name == "coredns" for each in fleet.of(EksAddon)):
        yield Load("CoreDNS", COREDNS, _asked(COREDNS))


def _asked(workload: Workload) -> dict[str, int]:
    try:
        asked = workload.asked
    except (AttributeError, TypeError, ValueError):
        asked = {}  # the API server refuses it
    return {POD: 1, CPU: asked.get(CPU, 0), MEMORY: asked.get(MEMORY, 0)}


def daemons_on(spot: Spot, fleet: Fleet) -> list[tuple[str, Mapping[str, int]]]:
    """What runs on every node of a kind, by name, with what each asks."""
    installed = {str(each.name) for each in fleet.of(EksAddon)}
    found: list[tuple[str, Mapping[str, int]]] = [
        (each.name, {POD: each.pods, CPU: each.cpu_millicores, MEMORY: each.memory_mib * MIB})
        for each in DAEMONS
        if each.addon in installed
    ]
    found += [(each.name, each.each) for each in loads(fleet) if _is_daemon_on(each, spot)]
    return found


def _is_daemon_on(load: Load, spot: Spot) -> bool:
    return load.workload.kind == "DaemonSet" and lands(load.workload.placement.pod_spec, spot) is Lands.YES


def room_on(spot: Spot, fleet: Fleet) -> dict[str, int] | None:
    """What one node has for pods; None where that is not known."""
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
    left = allocatable(spot.machine, slots, Size(0))
    if left.memory_mib is None:
        return None
    told = template.max_pods if isinstance(template.max_pods, int) else most
    return {POD: told, CPU: left.cpu_millicores, MEMORY: left.memory_mib * MIB}


def _room_on_hyperpod(spot: Spot) -> dict[str, int] | None:
    left = hyperpod_allocatable(spot.machine, Size(0))
    if left.pods is None or left.memory_mib is None:
        return None
    return {POD: left.pods, CPU: left.cpu_millicores, MEMORY: left.memory_mib * MIB}


def groups_for(load: Load, fleet: Fleet) -> set[str]:
    """The groups that an operator may run on."""
    spec = load.workload.placement.pod_spec
    return {spot.name for spot in labelled_spots(fleet) if lands(spec, spot) is not Lands.NO}


def nodes_now(group: KubernetesGroup) -> int | None:
    """The nodes that there surely are: at most, where somebody moves the number; None where it is not known."""
    number = group.nodes_max if group.scaled_by is not None else group.nodes_start
    return number if isinstance(number, int) else None


def added(*each: Mapping[str, int]) -> dict[str, int]:
    """Sums."""
    return {resource: sum(one.get(resource, 0) for one in each) for resource in (POD, CPU, MEMORY)}


def times(number: int, each: Mapping[str, int]) -> dict[str, int]:
    """Multiples."""
    return {resource: number * amount for resource, amount in each.items()}


def short_of(wanted: Mapping[str, int], there: Mapping[str, int]) -> list[str]:
    """What there is too little of, with the arithmetic: ``4 pods of 2``, ``8200m CPU of 7910m``. Both say all three."""
    found = []
    for resource, word in _OF.items():
        if wanted[resource] > there[resource]:
            many, few = amounts(resource, wanted[resource], max(there[resource], 0))
            found.append(f"{many} {word} of {few}")
    return found
