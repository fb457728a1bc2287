"""Resource groups of capacity reservations."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, Reference, ReservationGroup
from muster.fleet.resources.ec2 import ALLOWED_TYPES, GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import Ec2Group
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.account_facts import region_in
from policies.lookups.capacity_targets import short_name
from policies.lookups.reserved_capacity import existing_group, for_reservations


@rule(
    "reservation-group-configured",
    title="A reservation group has both configuration entries: the pool, and the types it allows",
    judges=ReservationGroup | NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Without the pool entry EC2 takes the group for no target; without the other, or for other types, no "
    "reservation can be put in.",
    source="AWS CLI, resource-groups create-group; EC2 user guide, Capacity Reservation groups",
    remedy=f"Give it {POOL}, and {GENERIC} with {ALLOWED_TYPES} {RESERVATION_TYPE}.",
    facts=("hardware.md#R14", "hardware.md#d1", "rules.md#28"),
)
def reservation_group_configured(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not isinstance(thing, ReservationGroup):
        yield from _existing(thing, fleet, rule)
        return
    if not for_reservations(thing, fleet):
        return
    if thing.configurations is UNKNOWN or thing.allowed is UNKNOWN:
        yield rule.unjudged(thing.place, "the group's configuration entries, not known before creation")
        return
    lacking = sorted({POOL, GENERIC} - thing.configurations)
    if lacking:
        yield rule.finding(thing.place, f"the group has no entry {and_list(lacking)}", f"add {and_list(lacking)} to it")
    elif RESERVATION_TYPE not in thing.allowed:
        yield rule.finding(
            thing.place,
            got=f"{ALLOWED_TYPES} of {GENERIC}: {and_list(thing.allowed)}",
            remedy=f"add {RESERVATION_TYPE} to its values",
        )


def _existing(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges an existing group of reservations by EC2's data about its configuration entries."""
    target, known = existing_group(group, fleet)
    if target is None:
        return
    if known is None or known.configurations is None:
        yield rule.unjudged(group.place, fleet.missing(f"the configuration entries of {target.name}"))
    elif lacking := sorted({POOL, GENERIC} - set(known.configurations)):
        yield rule.finding(
            group.place,
            at=target.named_at,
            got=f"{target.name} has no entry {and_list(lacking)} (AWS says so)",
            remedy=f"have its owner add {and_list(lacking)}, or name another group",
        )


@rule(
    "reservation-group-has-members",
    title="A reservation group holds at least one reservation",
    judges=ReservationGroup | NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Nothing launches into an empty group; without a preference for reservations only, everything silently "
    "launches on demand.",
    source="EC2 user guide, Use Capacity Reservation groups; ParallelCluster ec2_validators.py",
    remedy="Put the reservations into it.",
    facts=("rules.md#28", "hardware.md#d1"),
)
def reservation_group_has_members(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not isinstance(thing, ReservationGroup):
        target, known = existing_group(thing, fleet)
        if target and target.missing:
            yield rule.unjudged(thing.place, target.missing)
        elif target and known and not known.reservations:
            got = f"{target.name} is empty (AWS says so)"
            yield rule.finding(thing.place, got, "put reservations into it, or name another", at=target.named_at)
        return
    if not for_reservations(thing, fleet):
        return
    if thing.members is UNKNOWN:
        yield rule.unjudged(thing.place, "the reservations in the group, not known before creation")
    elif not thing.members:
        yield rule.finding(
            thing.place,
            at="create",
            got="no reservation is put into the group",
            remedy="list the reservations' ARNs (in a program of your own an aws.resourcegroups.Resource for each)",
        )


@rule(
    "reservation-group-one-region",
    title="A reservation group and the reservations in it are of the stack's Region",
    judges=ReservationGroup | NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="A group holds reservations of its own Region only, and a launch template targets groups of its own.",
    source="EC2 user guide, Capacity Reservation groups",
    remedy="Name what is in the stack's Region.",
    facts=("hardware.md#d1", "rules.md#28"),
)
def reservation_group_one_region(thing: ReservationGroup | Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    named: tuple[Reference, ...] = ()
    if not isinstance(thing, ReservationGroup):
        target, _ = existing_group(thing, fleet)
        named, at = (target.ref,) if target else (), "capacity.reservation-group.arn"
    elif for_reservations(thing, fleet) and thing.members is not UNKNOWN:
        named, at = thing.members, "create"
    elsewhere = [(each, region) for each in named if (region := region_in(each)) and region != fleet.region]
    if elsewhere and fleet.region is None:
        yield rule.unjudged(thing.place, "the Region (aws:region)")
        return
    for each, region in elsewhere:
        yield rule.finding(
            thing.place,
            at=at,
            got=f"{short_name(each)} is in {region}, the stack in {fleet.region}",
            remedy=f"name one in {fleet.region} instead of {short_name(each)}",
        )
