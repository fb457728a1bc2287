"""A reservation's instance type against its group's."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.rules.reading import reservation_of
from policies.words import some


@rule(
    "reservation-instance-type-matches",
    title="A group on a reservation has the reservation's instance type",
    judges=NodeGroup,
    why="A reservation holds one instance type; a node of another is never placed in it, and the reservation bills.",
    source="EC2 user guide, On-Demand Capacity Reservations; ParallelCluster ec2_validators.py",
    remedy="Give the group the reservation's type.",
    facts=("rules.md#24", "hardware.md#R13", "pains.md#4"),
)
def reservation_instance_type_matches(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, missing = reservation_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    if target is None:
        return
    known = fleet.reservation_facts(target)
    held = known.instance_type if known else None
    instance = fleet.instance_of(group)
    wanted = set(group.instance_types) if group.instance_types is not UNKNOWN and group.instance_types else {instance}
    if held is None:
        yield rule.unjudged(group.place, fleet.missing(f"the instance type of reservation {target}"))
    elif UNKNOWN in wanted or None in wanted:
        yield rule.unjudged(group.place, "the group's instance type")
    elif wanted != {held}:
        yield rule.finding(
            group.place,
            at="instance",
            got=f"reservation {target} holds {held}, the group is of {some(wanted)}",
            remedy=f"make {held} the group's only type, or name a reservation of what it has",
        )
