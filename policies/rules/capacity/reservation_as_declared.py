"""What the description states about a reservation against what AWS says."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.account_facts import facts_observed
from policies.lookups.capacity_targets import (
    Target,
    block_of,
    declared_capacity,
    drained_in_time,
    short_name,
    target_of,
)
from policies.lookups.reserved_capacity import groups_on_target, instances_for, instances_wanted


@rule(
    "reservation-as-declared",
    title="A reservation or Capacity Block is what the description says it is",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="The next reader plans with what stands there. AWS's word is what the other rules judge by.",
    source="EC2 API, DescribeCapacityReservations",
    remedy="Write what AWS says.",
    facts=("rules.md#24", "rules.md#25", "pains.md#4"),
)
def reservation_as_declared(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = target_of(group, fleet)
    declared = declared_capacity(group)
    if target is None or declared is None or target.missing or target.empty:
        return
    name = short_name(target.ref)
    zones = fleet.zones_of(group.subnets) if group.subnets is not UNKNOWN else None
    observed = {each.known.zone for each in target.holdings}
    # Where the difference hurts, other rules speak, and louder: of the zone, the count, the end.
    if zones and observed != {declared.zone} and observed == set(zones):
        zone = and_list(zones)
        got = f"zone {declared.zone}; AWS says that {name} is in {zone}"
        yield rule.finding(group.place, got, f"write zone: {zone}", at=f"{target.at}.zone")
    total = instances_for(target, group, fleet)
    wanted = instances_wanted(each for each, _ in groups_on_target(target, fleet))
    if total and total.observed and wanted <= total.count != declared.count:
        got = f"count {declared.count}; AWS says that {name} holds {total.count}"
        yield rule.finding(group.place, got, f"write count: {total.count}", at=f"{target.at}.count")
    yield from _dates(group, target, fleet, rule)


def _dates(group: Ec2Group, target: Target, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block is None or (isinstance(group, NodeGroup) and not drained_in_time(group, target, fleet)):
        return
    known = target.holdings[0].known
    for name, declared, observed in (("starts", block.starts, known.start), ("ends", block.ends, known.end)):
        day = observed.date() if observed else None
        if day is None and target.holdings[0].observed and facts_observed(fleet):
            yield rule.unjudged(group.place, fleet.missing(f"when {target.name} {name}"))
        if day is not None and day != declared:
            got = f"{name} {declared}; AWS says that {short_name(target.ref)} {name} on {day}"
            yield rule.finding(group.place, got, f'write {name}: "{day}"', at=f"{target.at}.{name}")
