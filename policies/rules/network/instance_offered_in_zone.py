"""Instance types against the zones that offer them."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.offerings import zones_of_region, zones_offering
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_targets import on_block
from policies.lookups.machines import machines_of
from policies.lookups.zones import zones_path


@rule(
    "instance-offered-in-zone",
    title="The instance type was seen in the group's zones",
    level=Level.ADVISORY,  # the table lacks zones that AWS names, and the other way round
    severity=Severity.MEDIUM,
    judges=NodeGroup | InstanceGroup | ComputeResource,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="A zone that does not offer the type never gives a node, and the group only says so in its activity log. The "
    "table is indicative: it is what one account saw. Zones go by id, names differ between accounts.",
    source="EC2 API, DescribeInstanceTypeOfferings, as moto 5.2.5 copies it (`muster hardware TYPE --region REGION`)",
    remedy="Ask AWS, or take a zone that is listed.",
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
            continue  # capacity-block-region knows more
        yield from _verdict(machine.instance, offering, group, fleet, rule)


def _verdict(
    instance: str, offering: frozenset[str] | None, group: AnyGroup, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    region = str(fleet.region)
    tells = offering is not None and offering != zones_of_region(region)
    if offering is None or not tells:
        return
    if group.subnets is UNKNOWN:
        yield rule.unjudged(group.place, "the subnets, not known before creation")
        return
    subnets = fleet.subnets_of(group.subnets)
    elsewhere = {subnet.zone_id for subnet in subnets if subnet.zone_id} - offering
    if elsewhere or (subnets and not offering):
        where = f"only in {and_list(offering)}, not in {and_list(elsewhere)}" if offering else f"nowhere in {region}"
        ask = (
            "aws ec2 describe-instance-type-offerings --location-type availability-zone-id "
            f"--filters Name=instance-type,Values={instance} --region {region}"
        )
        instead = f"a zone of {and_list(offering)}" if offering else "another Region"
        place, at = zones_path(group, fleet)
        yield rule.finding(
            place, at=at, got=f"{instance} was seen {where}", remedy=f"take {instead}, or ask AWS: `{ask}`"
        )
    unknown = [subnet.id for subnet in subnets if not subnet.zone_id]
    if offering and unknown:
        missing = f"the zone ids of {and_list(unknown)} (the network's zone-ids say them too)"
        yield rule.unjudged(group.place, fleet.missing(missing))
