"""Resource groups and reservations of another Region."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, Reference, ReservationGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.arns import region_in
from policies.reading.reservation_groups import existing_group, for_reservations
from policies.reading.targets import short
from policies.rule import Rule, Verdict, rule


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
            got=f"{short(each)} is in {region}, the stack in {fleet.region}",
            remedy=f"name one in {fleet.region} instead of {short(each)}",
        )
