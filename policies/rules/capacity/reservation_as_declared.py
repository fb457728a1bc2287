"""What the description says of a reservation against what AWS says."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule
from policies.rules.capacity.reservation_covers_nodes import asked_of
from policies.rules.reading import reservation_of


@rule(
    "reservation-as-declared",
    title="A reservation is what the description says it is",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=NodeGroup,
    why="The next reader plans with what stands there. AWS's word is what the other rules judge by.",
    source="EC2 API, DescribeCapacityReservations",
    remedy="Write what AWS says.",
    facts=("rules.md#24", "rules.md#25", "pains.md#4"),
)
def reservation_as_declared(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = reservation_of(group, fleet)
    known = fleet.reservation_facts(target) if target else None
    said = group.reservation
    if known is None or said is None:
        return
    zones = fleet.zones_of(group.subnets) if group.subnets is not UNKNOWN else None
    # Where the difference hurts, reservation-zone-matches-subnet and reservation-covers-nodes speak, and louder.
    if known.zone and known.zone != said.zone and zones == frozenset({known.zone}):
        got = f"zone {said.zone}; AWS says that {target} is in {known.zone}"
        yield rule.finding(group.place, got, f"write zone: {known.zone}", at="capacity.reservation.zone")
    total = known.total_instances
    if total is not None and total != said.count and asked_of(target or "", fleet)[0] <= total:
        got = f"count {said.count}; AWS says that {target} holds {total}"
        yield rule.finding(group.place, got, f"write count: {total}", at="capacity.reservation.count")
