"""A reservation's zone against its group's subnets."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.rules.reading import reservation_of
from policies.words import names, some


@rule(
    "reservation-zone-matches-subnet",
    title="A group on a reservation has subnets in the reservation's zone only",
    judges=NodeGroup,
    why="A reservation lives in one zone; a group elsewhere never receives it, and the only symptom is "
    "insufficient capacity while the reservation bills.",
    source="EC2 user guide, On-Demand Capacity Reservations; ParallelCluster ec2_validators.py",
    remedy="Give the group only the subnet in the reservation's zone.",
    facts=("rules.md#24", "hardware.md#R13", "pains.md#4"),
)
def reservation_zone_matches_subnet(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, missing = reservation_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    if target is None or group.subnets == ():  # no subnet at all is group-has-subnet's finding
        return
    known = fleet.reservation_facts(target)
    declared = group.reservation.zone if group.reservation else None
    zone = (known.zone if known else None) or declared
    zones = fleet.zones_of(group.subnets) if group.subnets is not UNKNOWN else None
    if zone is None:
        yield rule.unjudged(group.place, fleet.missing(f"the zone of reservation {target}"))
    elif zones is None:
        yield rule.unjudged(group.place, fleet.missing(f"the zones of subnets {names(group.subnets)}"))
    elif zones != {zone}:
        observed = " (AWS says so)" if known and known.zone else ""
        other = "" if zone in zones else f", or name a reservation in {some(zones)}"
        yield rule.finding(
            group.place,
            at="capacity.reservation.zone",
            got=f"reservation {target} is in {zone}{observed}, the group's subnets are in {some(zones)}",
            remedy=f"put the group into {zone} only (zone: {zone}, with a subnet there){other}",
        )
