"""Which instance types the requirements of a NodePool select, and which labels it may require."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from muster.blueprint.karpenter import CAPACITY_TYPE, ON_DEMAND, RESERVED, SPOT
from muster.blueprint.labels import HOST_NAME, INSTANCE_TYPE, ZONE
from muster.fleet.resources import Fleet, NodeGroup
from muster.message_text import closest_match, or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.instance_labels import (
    AUTO_MODE,
    FAMILY,
    KARPENTER,
    Conflict,
    Labels,
    Value,
    conflict,
    label_names,
    meant,
    values_beside,
)
from muster.scheduling.requirements import Operator, Requirement
from muster.unknown import NotKnown, if_known

_MOST_NAMED = 6
_MOST_REQUIREMENTS = 200
"""Kubernetes accepts a NodePool with at most 100 requirements and 100 labels (`karpenter.sh_nodepools.yaml`)."""
_MOST_VALUES = 2000
"""More than EC2 has instance types."""
_NAMES = frozenset({INSTANCE_TYPE, FAMILY})
"""What a pool is for: rather its other requirements are wrong."""


class _Placed(NamedTuple):
    """A requirement, and the property that has it."""

    requirement: Requirement
    at: str
    is_label: bool = False


def _required(group: NodeGroup) -> list[_Placed]:
    """The requirements of a pool, and its labels, which Karpenter reads as requirements."""
    assert group.pool is not None, "it is a pool"
    described = group.place.described
    nodes, labels = ("", "labels") if described else ("template.spec.requirements", "template.metadata.labels")
    found = [
        _Placed(each, nodes and f"{nodes}[{index}]")
        for index, each in enumerate(group.pool.requirements)
        if isinstance(each, Requirement)
    ]
    own = sorted(if_known(lambda: group.labels, frozenset()))
    return found + [_Placed(Requirement(key, Operator.IN, (value,)), labels, is_label=True) for key, value in own]


def _domain(group: NodeGroup) -> str:
    return AUTO_MODE if group.of_auto_mode else KARPENTER


def node_pool_has_instance_types(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.pool is None:
        return
    domain, placed = f"{_domain(group)}/", _required(group)
    if len(placed) > _MOST_REQUIREMENTS or sum(len(each.requirement.values) for each in placed) > _MOST_VALUES:
        raise NotKnown("which types so many requirements select")
    # Labels of the other domain are not of instance types: node-pool-labels-known.
    local = {each.requirement._replace(key=each.requirement.key.removeprefix(domain)): each for each in placed}
    of_all: dict[str, Value] = {CAPACITY_TYPE: (ON_DEMAND, RESERVED, SPOT)}
    zones = if_known(lambda: fleet.zones_of(group.subnets)) if placed else None
    if zones:
        of_all[ZONE] = tuple(zones)
    if group.of_auto_mode:
        of_all["kubernetes.io/os"] = ("linux",)
    found = conflict(tuple(local), of_all)
    if found is None:
        yield from _misspelt(local, group, rule)
    elif any(each.key != INSTANCE_TYPE for each in found.requirements) or not rule.leaves("instance-type-catalogued"):
        yield from _without_types(found, local, of_all, group, rule)


def _misspelt(local: Mapping[Requirement, _Placed], group: NodeGroup, rule: Rule) -> Iterator[Verdict]:
    """Values that no type has beside some that types have."""
    for each, own in local.items():
        if each.operator == Operator.IN and each.key != INSTANCE_TYPE:
            for value, near in ((value, meant(each.key, value)) for value in each.values):
                if near:
                    got = f"no instance type has {own.requirement.key} {value}"
                    yield rule.advice.finding(group, own.at, got=got, change=f"write {or_list(near)}, or remove it")


def _without_types(
    found: Conflict, local: Mapping[Requirement, _Placed], of_all: Labels, group: NodeGroup, rule: Rule
) -> Iterator[Verdict]:
    """The finding about requirements that no type meets together."""
    wrong = max(
        found.requirements,
        key=lambda each: (any(meant(each.key, value) for value in each.values), each.key not in _NAMES),
    )
    others = tuple(each for each in found.requirements if each is not wrong)
    full = local[wrong].requirement
    instead = tuple(near for value in wrong.values for near in meant(wrong.key, value))
    instead = instead or (values_beside(wrong, others, of_all) if others else ())
    named = and_list(_text(local[each].requirement) for each in found.requirements)
    subject = "no instance type" if found.certain else "no instance type that Muster knows"
    got = f"{subject} meets {named}{' together' if others else ''}"
    change = f"require other values of {full.key}"
    if 0 < len(instead) <= _MOST_NAMED:
        change = f"require {_text(Requirement(full.key, Operator.IN, instead))}"
    if keys := sorted({local[each].requirement.key for each in others} - {full.key}):
        change = f"{change}, or change {or_list(keys)}"
    own = rule if found.certain else rule.advice
    yield own.finding(group, local[wrong].at, got=got, change=change)


def _text(requirement: Requirement) -> str:
    """``karpenter.k8s.aws/instance-family In [p6]``."""
    key, operator, values = requirement
    return f"{key} {operator}" + (f" [{', '.join(values)}]" if values else "")


_ALSO = {KARPENTER: frozenset({"ec2nodeclass"}), AUTO_MODE: frozenset({"compute-type", "nodeclass"})}
"""Labels of the domains that are not about instances."""
_CORE = "karpenter.sh"


def node_pool_labels_known(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    del fleet
    if group.pool is None:
        return
    placed, own = _required(group), _domain(group)
    keys = {each.requirement.key for each in placed}
    for each in placed:
        key = each.requirement.key
        domain, _, name = key.rpartition("/")
        of_nodes = domain.endswith(("kubernetes.io", KARPENTER, AUTO_MODE))  # and not of a user
        right = f"{own}/{name}"
        selected = {right, INSTANCE_TYPE, f"{own}/{FAMILY}"} & keys
        if domain.endswith((_CORE, own)) or key == HOST_NAME:
            yield from _restricted(key, own, group, each.at, rule)
        elif of_nodes and not each.is_label and name in label_names() and not selected:
            got = f"{key} selects no instance type: {_service(own)} reads {right}"
            yield rule.finding(group, each.at, got=got, change=f"require {right}")


def _restricted(key: str, own: str, group: NodeGroup, at: str, rule: Rule) -> Iterator[Verdict]:
    """A label in a domain in which Karpenter accepts only those that it knows."""
    known = {CAPACITY_TYPE, *(f"{own}/{name}" for name in label_names() | _ALSO[own])}
    if key in known:
        return
    names = {each.rpartition("/")[2]: each for each in sorted(known)}
    name = key.rpartition("/")[2]
    near = names.get(name) or names.get(closest_match(name, names) or "")
    # The domain of a provisioner gets labels with its versions.
    certain = near is not None or not key.startswith(f"{own}/")
    service = _service(own)
    got = f"{service} refuses the label {key} in a NodePool"
    if not certain:
        got = f"{service} accepts no label of its domain that it does not know, and Muster knows no {key}"
    change = f"write {near}" if near else "use a label with another prefix"
    yield (rule if certain else rule.advice).finding(group, at, got=got, change=change)


def _service(domain: str) -> str:
    return "EKS Auto Mode" if domain == AUTO_MODE else "Karpenter"
