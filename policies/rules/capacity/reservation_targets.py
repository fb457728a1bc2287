"""What groups target: groups of reservations, launch templates' specifications, capacity that several groups use."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from muster.config.description.capacity import NO_PLACEMENT_GROUP
from muster.edits import remove, set_to
from muster.fleet.facts import ReservationFacts, TrainingPlanFacts
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
    declared_capacity,
    existing_group,
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


class _Described(NamedTuple):
    """The capacity that a group uses, and what the group states about it."""

    ref: object
    name: str
    at: str
    types: frozenset[str]
    """The group's types; none where AWS states the type of the capacity, or where it may have several."""
    facts: Mapping[str, object]
    """Key -> value, without what AWS states: other rules judge by that."""


def capacity_described_alike(group: Ec2Group | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    own = _described(group, fleet)
    first = _first_on(fleet)[own.ref] if own else group
    other = _described(first, fleet)
    if own is None or other is None or first.ref == group.ref:
        return
    name = display_name(first) if isinstance(first, InstanceGroup) else first.ref.name
    if own.types and other.types and own.types != other.types:
        got = f"the group uses {own.name} for {and_list(own.types)}, but group {name} uses it for "
        same = set_to(*ec2_names(sorted(other.types)), in_program=tuple(sorted(other.types)))
        change = (same, f"target capacity that holds {and_list(own.types)}")
        yield rule.finding(group, "instance", got=got + and_list(other.types), change=change)
    for key, value in own.facts.items():
        if other.facts.get(key, value) != value:
            said, theirs = (f"{key}: {each}" if each is not None else f"no {key}" for each in (value, other.facts[key]))
            got = f"the group sets {said} for {own.name}, but group {name} sets {theirs}"
            both = f"set {key} to its real value in both groups"
            yield rule.finding(group, f"{own.at}.{key}", got=got, change=both)


def _described(group: Ec2Group | InstanceGroup, fleet: Fleet) -> _Described | None:
    """None for a group without such capacity."""
    ref: object
    declared: object
    known: list[ReservationFacts | TrainingPlanFacts]
    if isinstance(group, InstanceGroup):
        if group.training_plan is None:
            return None
        ref, name, at = group.training_plan, f"training plan {plan_name(group)}", "capacity.training-plan"
        known, several = [training_plan_facts(group, fleet)], False
        declared = group.capacity.training_plan if group.capacity else None
    else:
        target, declared = target_of(group, fleet), declared_capacity(group)
        if target is None:
            return None
        ref, name, at = target.ref, target.name, target.at
        known = [] if target.missing else [each.known for each in target.known]
        several = target.kind is Kind.GROUP and declared is None
    stated = {key for key, field in _STATED.items() if known and all(getattr(each, field, None) for each in known)}
    types = frozenset() if several or "instance" in stated else if_known(lambda: _types(group, fleet), frozenset())
    facts = {key: getattr(declared, key.replace("-", "_"), None) for key in _KEYS} if declared else {}
    facts = {key: None if value == NO_PLACEMENT_GROUP else value for key, value in facts.items() if key not in stated}
    return _Described(ref, name, at, types, facts)


_STATED = {"instance": "instance_type", "zone": "zone", "count": "total_instances", "starts": "start", "ends": "end"}
"""Key of a description -> the field of AWS's facts."""
_KEYS = ("zone", "count", "starts", "ends", "provided-by", "placement-group")


def _types(group: Ec2Group | InstanceGroup, fleet: Fleet) -> frozenset[str]:
    return frozenset(group.instance_types) if isinstance(group, InstanceGroup) else types_of(group, fleet)


@cached_by_identity(4)
def _first_on(fleet: Fleet) -> Mapping[object, Ec2Group | InstanceGroup]:
    """Capacity -> its first group by name: Pulumi registers groups in any order."""
    groups = sorted((*fleet.ec2_groups, *fleet.of(InstanceGroup)), key=lambda each: each.ref, reverse=True)
    return {own.ref: each for each in groups if (own := if_known(lambda: _described(each, fleet)))}
