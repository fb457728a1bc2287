"""What pods request, compared with their nodes: devices, EFA, CPU and memory, huge pages."""

from collections.abc import Iterator, Mapping
from functools import partial

from muster.blueprint.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.hardware.catalogue import partial_neuron_parts
from muster.hardware.huge_pages import PAGE
from muster.kubernetes_quantity import (
    CPU,
    MIB,
    Quantity,
    format_amounts,
    format_with_resource,
    is_huge_pages,
)
from muster.message_text import or_list
from muster.plain_data import value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import settings_of
from muster.policies.lookups.pod_placement import NodeKind
from muster.policies.lookups.pods import (
    ACCELERATORS,
    ACROSS_NODES,
    DEVICES,
    NEURON_DEVICES,
    containers,
    device_count,
    efa_of,
    known_nodes_for,
    most_for_pods,
    nodes_for,
    of_each_template,
    only_launches,
    requests_of,
    several_with_accelerators,
    torchrun_nodes,
)
from muster.scheduling.fit import shortages
from muster.unknown import NotKnown, all_of, any_of, if_known


@of_each_template
def devices_within_instance(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    asks = requests_of(template)
    wanted = {resource: asks[resource] for resource in DEVICES if resource in asks}
    nodes = known_nodes_for(template, fleet) if wanted else ()
    if not wanted or any_of(*(partial(_has_all, spot, wanted, fleet) for spot in nodes)):
        return
    lacking = {spot: shortages(wanted, _known_devices(spot, wanted, fleet)) for spot in nodes}
    best = min(nodes, key=lambda spot: sum(wanted[resource] - few for resource, few in lacking[spot].items()))
    has = and_list(f"{few} {resource}" for resource, few in lacking[best].items())
    amounts = and_list(f"{amount} {resource}" for resource, amount in wanted.items())
    got = f"{template.path} requests {amounts}, but a {best.machine.instance} of {best.name} has {has}"
    yield rule.finding(owner, got=got, change=("request what a node has", "select nodes that have all of it"))


def _has_all(spot: NodeKind, wanted: Mapping[str, int], fleet: Fleet) -> bool:
    """Whether a node has all devices that a pod requests."""
    return all_of(*(partial(_has, spot, resource, amount, fleet) for resource, amount in wanted.items()))


def _has(spot: NodeKind, resource: str, amount: int, fleet: Fleet) -> bool:
    return device_count(spot, resource, fleet) >= amount


def _known_devices(spot: NodeKind, wanted: Mapping[str, int], fleet: Fleet) -> dict[str, int]:
    return {each: if_known(lambda: device_count(spot, each, fleet), amount) for each, amount in wanted.items()}


@of_each_template
def neuron_devices_connected(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    asks = requests_of(template)
    for resource in NEURON_DEVICES:
        if not (amount := asks.get(resource, 0)):
            continue
        parts = {spot.machine.neuron_parts for spot in nodes_for(template, fleet)} or partial_neuron_parts()
        if any(not each or amount in each or amount > each[-1] for each in parts):
            continue  # devices-within-instance reports more devices than a node has
        machine = known_nodes_for(template, fleet)[0].machine
        less = max(each for each in machine.neuron_parts if each < amount)
        more = min(each for each in machine.neuron_parts if each > amount)
        got = f"{template.path} requests {amount} {resource}, but only {or_list(machine.neuron_parts)} are connected"
        yield rule.finding(owner, got=got, change=f"request {or_list((less, more))}")


def pod_asks_its_share_of_efa(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _whole_node(owner, fleet, rule)
    yield from _part_of_node(owner, fleet, rule)


@of_each_template
def _whole_node(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Pods with all accelerators of their node."""
    asks = requests_of(template)
    requested = asks.get(EFA_RESOURCE, 0)
    accelerators = {resource: asks[resource] for resource in ACCELERATORS if resource in asks}
    spans = torchrun_nodes(template)
    across = owner.kind in ACROSS_NODES or (spans is not None and spans.most > 1)
    # A claim can bring EFA interfaces. Pods with the claim of a ComputeDomain need none: they use NVLink.
    claims = "resourceClaims" in template.spec
    if only_launches(template, owner):
        return  # job-starts-on-its-pods reports its devices
    if not accelerators or claims or not (requested or across) or (across and not several_with_accelerators(owner)):
        return
    nodes = known_nodes_for(template, fleet)
    lacking = [_lacking(spot, accelerators, requested, fleet) for spot in nodes]
    if all(lacking):
        spot, efa = nodes[0], lacking[0]
        devices = " and ".join(f"{number} {resource}" for resource, number in accelerators.items())
        got = f"{template.path} requests all {devices} of {spot.name}, but {requested} of its {efa} EFA interfaces"
        yield rule.finding(owner, got=got, change=f"write {EFA_RESOURCE}: {efa} under its limits")


def _lacking(spot: NodeKind, accelerators: dict[str, int], requested: int, fleet: Fleet) -> int:
    """The number of EFA interfaces of a node, if the pod requests all its accelerators but fewer EFA interfaces. 0 if
    nothing is wrong."""
    if not all(device_count(spot, resource, fleet) == number for resource, number in accelerators.items()):
        return 0
    there = efa_of(spot, fleet)
    return there if requested < there else 0


@of_each_template
def _part_of_node(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Pods with some accelerators of a node."""
    asks = requests_of(template)
    requested = asks.get(EFA_RESOURCE)
    accelerators = [resource for resource in ACCELERATORS if resource in asks]
    for spot in nodes_for(template, fleet) if requested and len(accelerators) == 1 else ():
        mine, all_ = asks[accelerators[0]], device_count(spot, accelerators[0], fleet)
        efa = if_known(lambda: efa_of(spot, fleet))  # devices-within-instance reports what is missing
        if efa and 1 < efa == requested and mine < all_:
            part = max(efa * mine // all_, 1)
            got = f"{template.path} requests {mine} of {all_} {accelerators[0]} of {spot.name}, but all {efa} EFA"
            yield rule.finding(owner, got=got, change=f"write {EFA_RESOURCE}: {part} under its limits")
            break


@of_each_template
def pod_fits_node(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    asks = requests_of(template)
    nodes = nodes_for(template, fleet) if asks else ()
    devices = {resource: asks[resource] for resource in DEVICES if resource in asks}
    # If no node has the devices, devices-within-instance reports it.
    having = [spot for spot in nodes if if_known(lambda: _has_all(spot, devices, fleet), True)] or nodes
    offers = [(spot.machine, most_for_pods(spot, fleet)) for spot in having]
    wanted = {resource: asks[resource] for resource in (CPU, "memory") if resource in asks}
    if not offers or any(not shortages(wanted, most) for _, most in offers):
        return
    best, most = max(offers, key=lambda offer: (offer[1]["memory"], offer[1][CPU]))
    texts = {
        resource: format_amounts(resource, wanted[resource], few) for resource, few in shortages(wanted, most).items()
    }
    many, few = (and_list(f"{text[i]} of {resource}" for resource, text in texts.items()) for i in (0, 1))
    got = f"{template.path} requests {many}, but the kubelet leaves {few} on a {best.instance}"
    yield rule.finding(owner, got=got, change=f"request less than {few}, which the node's daemons also use")


@of_each_template
def huge_pages_within_node(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _whole(owner, template, rule)
    yield from _within_node(owner, template, fleet, rule)


def _whole(owner: PodOwner, template: PodTemplate, rule: Rule) -> Iterator[Verdict]:
    """Whether amounts are whole pages."""
    for path, container in containers(template):
        for kind in ("limits", "requests"):
            requested = value_at(container, "resources", kind)
            for resource, written in requested.items() if isinstance(requested, dict) else ():
                page = _bytes(resource.partition("-")[2]) if is_huge_pages(resource) else None
                amount = _bytes(written)
                if page and amount is not None and amount % page:
                    got = f"{path} sets {resource}: {written} under {kind}, not a multiple of {page} bytes"
                    yield rule.finding(owner, got=got, change=f"write a multiple of {page // 2**20}Mi, with its unit")


def _bytes(written: object) -> int | None:
    try:
        return Quantity.parse(written).whole
    except ValueError:
        return None


def _within_node(owner: PodOwner, template: PodTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a node has as many."""
    requested = requests_of(template).get(HUGE_PAGES_RESOURCE, 0)
    if not requested:
        return
    nodes = known_nodes_for(template, fleet)
    if any(if_known(lambda: _set_aside(spot, fleet), 0) >= requested for spot in nodes):
        return
    there = {spot.name: _set_aside(spot, fleet) for spot in nodes}
    most = max(there, key=lambda name: there[name])
    asked, has = (format_with_resource(HUGE_PAGES_RESOURCE, each) for each in (requested, there[most]))
    got = f"{template.path} requests {asked}, but nodes of {most} allocate {has}"
    allocate = "allocate as many in user data (vm.nr_hugepages)"
    yield rule.finding(owner, got=got, change=(f"request at most {has}", allocate) if there[most] else allocate)


def _set_aside(spot: NodeKind, fleet: Fleet) -> int:
    """The bytes of huge pages that the user data of a node allocates.

    Raises:
        NotKnown: it cannot be read, or does not set them. On HyperPod a lifecycle script allocates them, which the
            rules do not read.
    """
    pages = settings_of(spot.group, fleet).huge_pages
    if pages is None:
        raise NotKnown(f"the number of huge pages on the nodes of {spot.name}")
    return pages * PAGE.mib * MIB
