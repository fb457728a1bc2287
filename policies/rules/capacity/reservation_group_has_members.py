"""Resource groups with nothing in them."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, ReservationGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.reservation_groups import existing_group, for_reservations
from policies.rule import Rule, Verdict, rule


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
