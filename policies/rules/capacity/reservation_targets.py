"""What groups target: groups of reservations, launch templates' specifications, capacity that several groups use."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from muster.config.description.capacity import NO_PLACEMENT_GROUP, CapacityBlock, TrainingPlan
from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, LaunchTemplate, Reference, ReservationGroup
from muster.fleet.resources.ec2 import ALLOWED_TYPES, GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import Ec2Group
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import region_in
from muster.policies.lookups.capacity_targets import (
    BLOCK_MARKET,
    Kind,
    Target,
    declared_capacity,
    short_name,
    target_of,
    types_of,
)
from muster.policies.lookups.hyperpod import display_name, plan_name, training_plan_facts
from muster.policies.lookups.reserved_capacity import Sharing, existing_group, for_reservations, groups_on_target
from muster.unknown import NotKnown, if_known, stored


def reservation_group_usable(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    parts = (_configured, _has_members, _in_one_region)
    yield from rule.each(parts, lambda judge: judge(thing, fleet, rule), thing.place)


def _configured(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the configuration entries."""
    if not isinstance(thing, ReservationGroup):
        yield from _existing(thing, fleet, rule)
        return
    if not for_reservations(thing, fleet):
        return
    lacking = sorted({POOL, GENERIC} - thing.configurations)
    if lacking:
        got = f"the resource group has no configuration entry {and_list(lacking)}"
        yield rule.finding(thing, "", got=got, change=f"add {and_list(lacking)} to its configuration")
    elif RESERVATION_TYPE not in thing.allowed:
        got = f"{ALLOWED_TYPES} of {GENERIC} has only the values {and_list(thing.allowed)}"
        yield rule.finding(thing, "", got=got, change=f"add {RESERVATION_TYPE} to its values")


def _existing(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges an existing group of reservations by EC2's data about its configuration entries."""
    target, known = existing_group(group, fleet)
    if target is None:
        return
    configured = fleet.need(known.configurations if known else None, f"the configuration entries of {target.name}")
    if lacking := sorted({POOL, GENERIC} - set(configured)):
        got = f"{target.name} has no configuration entry {and_list(lacking)} according to AWS"
        yield rule.finding(group, target.named_at, got=got, change=("have its owner add it", _ANOTHER))


_ANOTHER = set_to(words="another group")


def _has_members(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the members."""
    if not isinstance(thing, ReservationGroup):
        target, _ = existing_group(thing, fleet)
        if target and not target.holdings:
            got = f"{target.name} is empty according to AWS"
            yield rule.finding(thing, target.named_at, got=got, change=("add reservations to it", _ANOTHER))
    elif for_reservations(thing, fleet) and not thing.members:
        got = "the resource group contains no reservation"
        yield rule.finding(thing, "create", got=got, change="add reservations to it")


def _in_one_region(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the Regions of the group and of its members."""
    named: tuple[Reference, ...] = ()
    if not isinstance(thing, ReservationGroup):
        target, _ = existing_group(thing, fleet)
        named, at = (target.ref,) if target else (), "capacity.reservation-group.arn"
    elif for_reservations(thing, fleet):
        named, at = thing.members, "create"
    elsewhere = [(each, region) for each in named if (region := region_in(each)) and region != fleet.region]
    if elsewhere and fleet.region is None:
        raise NotKnown("the Region (aws:region)")
    for each, region in elsewhere:
        got = f"{short_name(each)} is in {region}, but the stack is in {fleet.region}"
        yield rule.finding(thing, at, got=got, change=f"replace it with one in {fleet.region}")


def reservation_target_clear(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _single(thing, fleet, rule)
    if isinstance(thing, LaunchTemplate):
        yield from _given(thing, fleet, rule)
        yield from _preference(thing, fleet, rule)


def _given(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a specification has a target or a preference."""
    given = "capacityReservationSpecification" in template.settings
    if given and stored(template.target, "preference") is None and not template.target.has_target:
        got = f"{rule.key(template, 'capacity')} sets neither a target nor a preference"
        change = (set_to(words="cr-...", at="capacity.reservation.id"), remove())
        yield rule.finding(template, "capacity", got=got, change=change)


def _single(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a target is a reservation or a group."""
    target = thing.target
    # A value that is set counts as set, even if it is unknown.
    if stored(target, "reservation") is not None and stored(target, "group") is not None:
        got = "the target sets both the id of a reservation and the ARN of a reservation group"
        change = (remove(at="capacity.reservation.id"), remove(at="capacity.reservation-group.arn"))
        yield rule.finding(thing, "capacity", got=got, change=change)


# "You can only specify CapacityReservationPreference and CapacityReservationTarget if the CapacityReservationPreference
# is capacity-reservations-only" (EC2 API). Older text and eksctl allow none with a target; the rule follows the API.
_REFUSED = ("open", "none")


def _preference(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Whether a preference agrees with a target."""
    if template.target.has_target and template.target.preference in _REFUSED:
        got = f"the template sets a target and the reservation preference '{template.target.preference}'"
        yield rule.finding(template, "capacity", got=got, change=(remove(at=_PREFERENCE), _ONLY))


_PREFERENCE = "capacityReservationPreference"
_ONLY = set_to("capacity-reservations-only", at=_PREFERENCE)
_NEVER_ON_DEMAND = (BLOCK_MARKET, "interruptible-capacity-reservation")
"""Market types whose launches fail if the reservation is full."""


def reservation_group_preference(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = template.target
    # reservation-target-clear reports other preferences, and two targets.
    single = stored(target, "group") is not None and stored(target, "reservation") is None
    if not single or stored(target, "preference") is not None:
        return
    if template.market_type not in _NEVER_ON_DEMAND:
        got = "the template targets a reservation group without a preference: if it is full, nodes launch on demand"
        yield rule.finding(template, "capacity", got=got, change=_ONLY)


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
