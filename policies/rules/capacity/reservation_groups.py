"""Resource groups of capacity reservations."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, Reference, ReservationGroup
from muster.fleet.resources.ec2 import ALLOWED_TYPES, GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import region_in
from muster.policies.lookups.capacity_targets import short_name
from muster.policies.lookups.reserved_capacity import existing_group, for_reservations
from muster.unknown import NotKnown


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
