"""One reservation, Capacity Block, resource group or training plan that several groups use."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from muster.config.description.capacity import NO_PLACEMENT_GROUP, CapacityBlock, TrainingPlan
from muster.edits import set_to
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import Kind, Target, declared_capacity, target_of, types_of
from muster.policies.lookups.hyperpod import display_name, plan_name, training_plan_facts
from muster.policies.lookups.reserved_capacity import Sharing, groups_on_target
from muster.unknown import if_known, stored

_AnyGroup = Ec2Group | InstanceGroup


class _Fact(NamedTuple):
    """One fact about a group's capacity, as the group states it."""

    at: str
    key: str
    value: object

    @property
    def text(self) -> str:
        return f"{self.key}: {self.value}" if self.value is not None else f"no {self.key}"


def capacity_described_alike(group: _AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(group, InstanceGroup):
        yield from _on_plan(group, fleet, rule)
        return
    target = target_of(group, fleet)
    if target is None:
        return
    # By name: Pulumi registers groups in any order.
    first, of_first = _first_of(groups_on_target(target, fleet))
    if first.ref == group.ref:
        return
    if not _type_known(target) and (differ := _types_differ(group, target, first, of_first, fleet)):
        yield _types(rule, group, first.ref.name, target.name, differ)
    if target.ref == of_first.ref:
        yield from _facts(rule, group, first.ref.name, target.name, _stated(group, target), _stated(first, of_first))


def _type_known(target: Target) -> bool:
    """Whether AWS states its type: `reservation-instance-type-matches` judges by that."""
    return bool(target.known) and all(each.known.instance_type for each in target.known)


def _types_differ(
    group: Ec2Group, target: Target, first: Ec2Group, of_first: Target, fleet: Fleet
) -> tuple[frozenset[str], frozenset[str]] | None:
    """The types of both groups, if they are known and one reservation cannot have both. A resource group that the
    description does not state may hold several types."""
    one_type = all(
        each.kind is not Kind.GROUP or declared_capacity(of) for each, of in ((target, group), (of_first, first))
    )
    own, others = if_known(lambda: types_of(group, fleet)), if_known(lambda: types_of(first, fleet))
    return (own, others) if one_type and own and others and own != others else None


def _stated(group: Ec2Group, target: Target) -> list[_Fact]:
    """What the description states about it, without what AWS states: other rules judge by that."""
    declared = declared_capacity(group)
    if declared is None:
        return []
    known = [each.known for each in target.known] if not target.missing else []
    facts = []
    if not known or not all(each.zone for each in known):
        facts.append(_Fact(f"{target.at}.zone", "zone", declared.zone))
    if not known or any(each.total_instances is None for each in known):
        facts.append(_Fact(f"{target.at}.count", "count", declared.count))
    if isinstance(declared, CapacityBlock):
        if not known or known[0].start is None:
            facts.append(_Fact(f"{target.at}.starts", "starts", declared.starts))
        if not known or known[0].end is None:
            facts.append(_Fact(f"{target.at}.ends", "ends", declared.ends))
    else:
        placed = None if declared.placement_group == NO_PLACEMENT_GROUP else declared.placement_group
        facts.append(_Fact(f"{target.at}.provided-by", "provided-by", declared.provided_by.value))
        facts.append(_Fact(f"{target.at}.placement-group", "placement-group", placed))
    return facts


def _on_plan(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    first = _first_on_plan(fleet)[group.training_plan]
    if first.ref == group.ref:
        return
    known, name = training_plan_facts(group, fleet), f"training plan {plan_name(group)}"
    own, others = _plan_types(group), _plan_types(first)
    if known.instance_type is None and own and others and own != others:
        yield _types(rule, group, display_name(first), name, (own, others))
    observed = {key for key, value in (("zone", known.zone), ("count", known.total_instances)) if value is not None}
    yield from _facts(
        rule, group, display_name(first), name, _plan_stated(group, observed), _plan_stated(first, observed)
    )


@cached_by_identity(1024)
def _first_of(sharing: Sharing) -> tuple[Ec2Group, Target]:
    return min(sharing, key=lambda each: each[0].ref)


@cached_by_identity(4)
def _first_on_plan(fleet: Fleet) -> Mapping[object, InstanceGroup]:
    """Training plan -> its first group by name."""
    groups = sorted(fleet.of(InstanceGroup), key=lambda each: each.ref, reverse=True)
    return {stored(each, "training_plan"): each for each in groups}


def _plan_types(group: InstanceGroup) -> frozenset[str]:
    return frozenset(stored(group, "instance_types", ()))


def _plan_stated(group: InstanceGroup, observed: Iterable[str]) -> list[_Fact]:
    plan: TrainingPlan | None = group.capacity.training_plan if group.capacity else None
    if plan is None:
        return []
    facts = (("zone", plan.zone), ("count", plan.count))
    return [_Fact(f"capacity.training-plan.{key}", key, value) for key, value in facts if key not in observed]


def _types(
    rule: Rule, group: _AnyGroup, first: str, name: str, types: tuple[frozenset[str], frozenset[str]]
) -> Verdict:
    own, others = types
    got = f"the group uses {name} for {and_list(own)}, but group {first} uses it for {and_list(others)}"
    change = (set_to(*sorted(others)), f"target capacity that holds {and_list(own)}")
    return rule.finding(group, "instance", got=got, change=change)


def _facts(
    rule: Rule, group: _AnyGroup, first: str, name: str, own: list[_Fact], others: list[_Fact]
) -> Iterator[Verdict]:
    of_first = {each.key: each for each in others}
    for fact in own:
        other = of_first.get(fact.key)
        if other is not None and other.value != fact.value:
            got = f"the group sets {fact.text} for {name}, but group {first} sets {other.text}"
            yield rule.finding(group, fact.at, got=got, change=f"set {fact.key} to its real value in both groups")
