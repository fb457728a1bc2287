"""What groups target: groups of reservations, launch templates' specifications, capacity that several groups use."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from muster.config.description.capacity import NO_PLACEMENT_GROUP, CapacityBlock
from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, LaunchTemplate, Reference, ReservationGroup
from muster.fleet.resources.ec2 import ALLOWED_TYPES, GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.hyperpod_types import ec2_names
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import region_in
from muster.policies.lookups.capacity_targets import (
    BLOCK_MARKET,
    Kind,
    Sharing,
    Target,
    declared_capacity,
    existing_group,
    groups_on_target,
    short_name,
    target_of,
    types_of,
)
from muster.policies.lookups.hyperpod import display_name, plan_name, training_plan_facts
from muster.unknown import NotKnown, any_of, if_known, stored


def reservation_group_usable(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, ReservationGroup):
        if for_reservations(thing, fleet):
            parts = (_entries, _values, _members, _region)
            group = _Group("the resource group", "create", lambda: thing.configurations, lambda: thing.members)
            yield from rule.each(parts, lambda judge: judge(thing, group, fleet, rule), thing.place)
    elif target := existing_group(thing, fleet):
        facts = fleet.facts.reservation_groups.get(str(target.ref)) if fleet.facts else None
        what = f"the configuration entries of {target.name}"
        group = _Group(
            target.name,
            target.named_at,
            lambda: fleet.need(facts.configurations if facts else None, what),
            lambda: [each.ref for each in target.holdings],
            target.ref,
        )
        yield from rule.each((_entries, _members, _region), lambda judge: judge(thing, group, fleet, rule), thing.place)


def for_reservations(group: ReservationGroup, fleet: Fleet) -> bool:
    """Whether a resource group is for capacity reservations; groups of dedicated hosts have other entries."""
    users = (*fleet.of(LaunchTemplate), *fleet.ec2_groups)
    return any_of(
        lambda: POOL in group.configurations,
        lambda: RESERVATION_TYPE in group.allowed,
        lambda: group.ref in {if_known(lambda: each.target and each.target.group) for each in users},
    )


class _Group(NamedTuple):
    """A resource group, which the program creates or which exists."""

    name: str
    at: str
    configurations: Callable[[], Iterable[str]]
    members: Callable[[], Sequence[Reference]]
    ref: Reference | None = None
    """The one that exists."""


def _entries(thing: ReservationGroup | Ec2Group, group: _Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if lacking := sorted({POOL, GENERIC} - set(group.configurations())):
        got = f"{group.name} has no configuration entry {and_list(lacking)}"
        yield rule.finding(thing, group.at if group.ref else "", got=got, change="add it to its configuration")


def _values(thing: ReservationGroup, group: _Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if GENERIC in thing.configurations and RESERVATION_TYPE not in thing.allowed:
        got = f"{ALLOWED_TYPES} of {GENERIC} has only the values {and_list(thing.allowed)}"
        yield rule.finding(thing, "", got=got, change=f"add {RESERVATION_TYPE} to its values")


def _members(thing: ReservationGroup | Ec2Group, group: _Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not group.members():
        got = f"{group.name} contains no reservation"
        yield rule.finding(thing, group.at, got=got, change="add reservations to it")


def _region(thing: ReservationGroup | Ec2Group, group: _Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in (group.ref,) if group.ref else group.members():
        region = region_in(each)
        if region and fleet.region is None:
            raise NotKnown("the Region (aws:region)")
        if region and region != fleet.region:
            got = f"{short_name(each)} is in {region}, but the stack is in {fleet.region}"
            yield rule.finding(thing, group.at, got=got, change=f"replace it with one in {fleet.region}")


def reservation_target_clear(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = thing.target
    # A value that is set counts as set, even if it is unknown.
    if stored(target, "reservation") is not None and stored(target, "group") is not None:
        got = "the target sets both the id of a reservation and the ARN of a reservation group"
        change = (remove(at="capacity.reservation.id"), remove(at="capacity.reservation-group.arn"))
        yield rule.finding(thing, "capacity", got=got, change=change)
    if not isinstance(thing, LaunchTemplate):
        return
    given = "capacityReservationSpecification" in thing.settings
    if given and stored(target, "preference") is None and not target.has_target:
        got = f"{rule.key(thing, 'capacity')} sets neither a target nor a preference"
        yield rule.finding(
            thing, "capacity", got=got, change=(set_to(words="cr-...", at="capacity.reservation.id"), remove())
        )
    if target.has_target and target.preference in _REFUSED:
        got = f"the template sets a target and the reservation preference '{target.preference}'"
        yield rule.finding(thing, "capacity", got=got, change=(remove(at=_PREFERENCE), _ONLY))


# "You can only specify CapacityReservationPreference and CapacityReservationTarget if the CapacityReservationPreference
# is capacity-reservations-only" (EC2 API). Older text and eksctl allow none with a target; the rule follows the API.
_REFUSED = ("open", "none")
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


class _Shared(NamedTuple):
    """Capacity that a group shares with the first group on it, and what both state about it."""

    name: str
    at: str
    first: str
    types: tuple[frozenset[str], frozenset[str]] | None
    """The types of both groups, where the capacity has one type, which AWS does not state."""
    facts: tuple[Mapping[str, object], Mapping[str, object]]
    """Key -> value, without what AWS states: other rules judge by that."""


def capacity_described_alike(group: Ec2Group | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    shared = _on_plan(group, fleet) if isinstance(group, InstanceGroup) else _on_target(group, fleet)
    if shared is None:
        return
    own, others = shared.types or (frozenset(), frozenset())
    if own and others and own != others:
        got = (
            f"the group uses {shared.name} for {and_list(own)}, but group {shared.first} uses it for {and_list(others)}"
        )
        same = set_to(*ec2_names(sorted(others)), in_program=tuple(sorted(others)))
        change = (same, f"target capacity that holds {and_list(own)}")
        yield rule.finding(group, "instance", got=got, change=change)
    mine, of_first = shared.facts
    for key, value in mine.items():
        if of_first.get(key, value) != value:
            said, other = (f"{key}: {each}" if each is not None else f"no {key}" for each in (value, of_first[key]))
            got = f"the group sets {said} for {shared.name}, but group {shared.first} sets {other}"
            both = f"set {key} to its real value in both groups"
            yield rule.finding(group, f"{shared.at}.{key}", got=got, change=both)


def _on_target(group: Ec2Group, fleet: Fleet) -> _Shared | None:
    target = target_of(group, fleet)
    # By name: Pulumi registers groups in any order.
    first, of_first = _first_of(groups_on_target(target, fleet)) if target else (group, None)
    if target is None or of_first is None or first.ref == group.ref:
        return None
    stated = bool(target.known) and all(each.known.instance_type for each in target.known)
    # A resource group that the description does not state may hold several types.
    pairs = ((target, group), (of_first, first))
    one_type = all(each.kind is not Kind.GROUP or declared_capacity(of) for each, of in pairs)
    types = None if stated or not one_type else (_types(group, fleet), _types(first, fleet))
    facts = (_stated(group, target), _stated(first, of_first)) if target.ref == of_first.ref else ({}, {})
    return _Shared(target.name, target.at, first.ref.name, types, facts)


@cached_by_identity(1024)
def _first_of(sharing: Sharing) -> tuple[Ec2Group, Target]:
    return min(sharing, key=lambda each: each[0].ref)


def _types(group: Ec2Group, fleet: Fleet) -> frozenset[str]:
    return if_known(lambda: types_of(group, fleet), frozenset())


def _stated(group: Ec2Group, target: Target) -> Mapping[str, object]:
    declared = declared_capacity(group)
    if declared is None:
        return {}
    facts = [each.known for each in target.known] if not target.missing else []
    stated: dict[str, object] = {"zone": declared.zone, "count": declared.count}
    fields = {"zone": "zone", "count": "total_instances"}
    if isinstance(declared, CapacityBlock):
        stated |= {"starts": declared.starts, "ends": declared.ends}
        fields |= {"starts": "start", "ends": "end"}
    else:
        placed = None if declared.placement_group == NO_PLACEMENT_GROUP else declared.placement_group
        stated |= {"provided-by": declared.provided_by.value, "placement-group": placed}
    observed = {key for key, field in fields.items() if facts and all(getattr(each, field) for each in facts)}
    return {key: value for key, value in stated.items() if key not in observed}


def _on_plan(group: InstanceGroup, fleet: Fleet) -> _Shared | None:
    if group.training_plan is None or (first := _first_on_plan(fleet)[group.training_plan]).ref == group.ref:
        return None
    known = training_plan_facts(group, fleet)
    observed = {"zone": known.zone, "count": known.total_instances}
    plans = [each.capacity.training_plan if each.capacity else None for each in (group, first)]
    own, others = (
        {key: getattr(plan, key) for key, value in observed.items() if value is None} if plan else {} for plan in plans
    )
    each_type = [frozenset(stored(each, "instance_types", ())) for each in (group, first)]
    types = (each_type[0], each_type[1]) if known.instance_type is None else None
    name = f"training plan {plan_name(group)}"
    return _Shared(name, "capacity.training-plan", display_name(first), types, (own, others))


@cached_by_identity(4)
def _first_on_plan(fleet: Fleet) -> Mapping[object, InstanceGroup]:
    """Training plan -> its first group by name."""
    groups = sorted(fleet.of(InstanceGroup), key=lambda each: each.ref, reverse=True)
    return {stored(each, "training_plan"): each for each in groups}
