"""The configuration of a resource group that instances are launched into."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, ReservationGroup
from muster.fleet.resources.capacity import ALLOWED_TYPES, GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.reservation_groups import existing_group, for_reservations
from policies.rule import Rule, Verdict, rule
from policies.words import some


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
        yield rule.finding(thing.place, f"the group has no entry {some(lacking)}", f"add {some(lacking)} to it")
    elif RESERVATION_TYPE not in thing.allowed:
        yield rule.finding(
            thing.place,
            got=f"{ALLOWED_TYPES} of {GENERIC}: {some(thing.allowed)}",
            remedy=f"add {RESERVATION_TYPE} to its values",
        )


def _existing(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """A group that was there before: EC2's word for its entries."""
    target, known = existing_group(group, fleet)
    if target is None:
        return
    if known is None or known.configurations is None:
        yield rule.unjudged(group.place, fleet.missing(f"the configuration entries of {target.name}"))
    elif lacking := sorted({POOL, GENERIC} - set(known.configurations)):
        yield rule.finding(
            group.place,
            at=target.named_at,
            got=f"{target.name} has no entry {some(lacking)} (AWS says so)",
            remedy=f"have its owner add {some(lacking)}, or name another group",
        )
