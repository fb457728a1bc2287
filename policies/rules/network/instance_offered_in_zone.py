"""Instance types, and the zones that offer them."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.offerings import zones_of_region, zones_offering
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import on_block
from muster.policies.lookups.machines import machines_of
from muster.policies.lookups.property_names import subnets_property
from muster.policies.lookups.zones import zones_path
from muster.unknown import UNKNOWN


@rule(
    "instance-offered-in-zone",
    title="The group's zones are known to offer its instance type",
    level=Level.ADVISORY,  # the table lacks zones that AWS lists, and has zones that AWS does not
    severity=Severity.MEDIUM,
    judges=NodeGroup | InstanceGroup | ComputeResource | ComputeNodeGroup,
    backends=EVERY_BACKEND,
    why="A zone that does not offer the type never gives a node, and only the group's activity log shows it. The table "
    "is only an indication: it is what one account saw. It lists zone ids, because names differ between accounts.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html",),
    remedy="Query AWS, or use a zone that is listed.",
    facts=("rules.md#trap-3", "hardware.md#R23", "hardware.md#e", "pains.md#8", "pains.md#21"),
)
def instance_offered_in_zone(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    machines, missing = machines_of(group, fleet)
    if missing and not isinstance(fleet.instance_of(group), str):  # the table has the types that Muster knows
        yield rule.unjudged(group.place, missing)
    if fleet.region is None:
        return  # zone-in-region reports the missing Region
    answered = fleet.facts.offerings if fleet.facts else {}
    for machine in machines:
        offering = zones_offering(machine.instance, fleet.region)
        if machine.instance in answered:
            continue  # the account's own answer is type-offered-in-zone's
        if not offering and isinstance(group, NodeGroup | ComputeResource) and on_block(group, fleet):
            continue  # capacity-block-region judges it with more data
        yield from _verdict(machine.instance, offering, group, fleet, rule)


def _verdict(
    instance: str, offering: frozenset[str] | None, group: AnyGroup, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    region = str(fleet.region)
    differs = offering is not None and offering != zones_of_region(region)
    if offering is None or not differs:
        return
    if group.subnets is UNKNOWN:
        yield rule.unjudged(group.place, "the subnets (known only after `pulumi up`)")
        return
    subnets = fleet.subnets_of(group.subnets)
    elsewhere = {subnet.zone_id for subnet in subnets if subnet.zone_id} - offering
    if elsewhere or (subnets and not offering):
        where = f"only in {and_list(offering)}, not in {and_list(elsewhere)}" if offering else f"in no zone of {region}"
        zones = f"{singular_or_plural(offering, 'zone', 'one of the zones')} {and_list(offering)}"
        instead = f"use {zones}" if offering else "use another Region"
        in_program = f"set {subnets_property(group)} to subnets in {zones}" if offering else instead
        ask = "or query AWS (`aws ec2 describe-instance-type-offerings`)"
        place, at = zones_path(group, fleet)
        got = f"Muster's table lists {instance} {where}"
        yield rule.finding(place, at=at, got=got, remedy=f"{instead}, {ask}", program_remedy=f"{in_program}, {ask}")
    unknown = [subnet.id for subnet in subnets if not subnet.zone_id]
    if offering and unknown:
        missing = f"the zone ids of {and_list(unknown)}"
        missing += ", which you can also set in the network's zone-ids" if group.place.described else ""
        yield rule.unjudged(group.place, fleet.missing(missing))
