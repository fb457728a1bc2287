"""What the description states about a reservation, compared with what AWS returns."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.capacity_targets import (
    Target,
    block_of,
    declared_capacity,
    drained_in_time,
    short_name,
    target_of,
)
from muster.policies.lookups.reserved_capacity import groups_on_target, instances_for, together
from muster.unknown import UNKNOWN


@rule(
    "reservation-as-declared",
    title="A description states the same about a reservation or Capacity Block as AWS",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="People plan with the values in the description. The other rules use the values that AWS returns.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityReservations.html",),
    remedy="Set the values that AWS returns.",
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
    # If the difference in zone, count or end breaks something, a mandatory rule reports it.
    if zones and observed != {declared.zone} and observed == set(zones):
        zone = and_list(zones)
        got = f"the description sets zone {declared.zone}, but {name} is in {zone} according to AWS"
        yield rule.finding(group.place, got, f"set zone: {zone}", at=f"{target.at}.zone")
    total = instances_for(target, group, fleet)
    wanted = together(groups_on_target(target, fleet)).wanted
    if total and total.observed and wanted <= total.count != declared.count:
        got = f"the description sets count {declared.count}, but {name} holds {total.count} according to AWS"
        yield rule.finding(group.place, got, f"set count: {total.count}", at=f"{target.at}.count")
    yield from _dates(group, target, fleet, rule)


def _dates(group: Ec2Group, target: Target, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block is None or (isinstance(group, NodeGroup) and not drained_in_time(group, target, fleet)):
        return
    known = target.holdings[0].known
    for name, declared, observed in (("starts", block.starts, known.start), ("ends", block.ends, known.end)):
        day = observed.date() if observed else None
        if day is None and target.holdings[0].observed and facts_observed(fleet):
            yield rule.unjudged(group.place, fleet.missing(f"the {name.removesuffix('s')} of {target.name}"))
        if day is not None and day != declared:
            block_name = short_name(target.ref)
            got = f"the description sets {name}: {declared}, but {block_name} {name} on {day} according to AWS"
            yield rule.finding(group.place, got, f'set {name}: "{day}"', at=f"{target.at}.{name}")
