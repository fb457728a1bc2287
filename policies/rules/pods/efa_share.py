"""The EFA interfaces that a pod requests, for its share of a node."""

from collections.abc import Iterator

from muster.blueprint.node import EFA_RESOURCE
from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.pod_placement import NodeKind
from muster.policies.lookups.pods import ACCELERATORS, device_count, efa_of, known_nodes_for, nodes_for, requests_of
from muster.unknown import if_known

_ACROSS_NODES = frozenset({"JobSet", "LeaderWorkerSet", "MPIJob", "PyTorchJob", "TFJob", "TrainJob", "XGBoostJob"})
"""Kinds whose pods work together across nodes, if there are several; of other kinds, only pods that request EFA do."""


def pod_asks_its_share_of_efa(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _whole_node(owner, fleet, rule)
    yield from _part_of_node(owner, fleet, rule)


def _whole_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Pods with all accelerators of their node."""

    def judge(template: PodTemplate) -> Iterator[Verdict]:
        asks = requests_of(template)
        requested = asks.get(EFA_RESOURCE, 0)
        accelerators = {resource: asks[resource] for resource in ACCELERATORS if resource in asks}
        across = owner.kind in _ACROSS_NODES
        # A claim can bring EFA interfaces. Pods with the claim of a ComputeDomain need none: they use NVLink.
        claims = "resourceClaims" in template.spec
        if not accelerators or claims or not (requested or across) or (across and not _several(owner)):
            return
        nodes = known_nodes_for(template, fleet)
        lacking = [_lacking(spot, accelerators, requested, fleet) for spot in nodes]
        if all(lacking):
            spot, efa = nodes[0], lacking[0]
            devices = " and ".join(f"{number} {resource}" for resource, number in accelerators.items())
            got = f"{template.path} requests all {devices} of {spot.name}, but {requested} of its {efa} EFA interfaces"
            yield rule.finding(owner, got=got, change=f"write {EFA_RESOURCE}: {efa} under its limits")

    yield from rule.each(owner.templates, judge, owner.place)


def _several(owner: PodOwner) -> bool:
    """Whether several of its pods request accelerators. A single one does not communicate with other nodes."""
    certain = sum(if_known(lambda: _with_accelerators(each), 0) for each in owner.templates)
    return certain > 1 or sum(map(_with_accelerators, owner.templates)) > 1


def _with_accelerators(template: PodTemplate) -> int:
    """The number of pods of a template, if they request accelerators."""
    return 0 if requests_of(template).keys().isdisjoint(ACCELERATORS) else template.pods


def _lacking(spot: NodeKind, accelerators: dict[str, int], requested: int, fleet: Fleet) -> int:
    """The number of EFA interfaces of a node, if the pod requests all its accelerators but fewer EFA interfaces. 0 if
    nothing is wrong."""
    if not all(device_count(spot, resource, fleet) == number for resource, number in accelerators.items()):
        return 0
    there = efa_of(spot, fleet)
    return there if requested < there else 0


def _part_of_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Pods with some accelerators of a node."""

    def judge(template: PodTemplate) -> Iterator[Verdict]:
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

    yield from rule.each(owner.templates, judge, owner.place)
