"""The Region and the zone of a training plan against the group's subnets."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.arns import region_in
from policies.reading.instance_groups import called
from policies.reading.training_plans import declared_zone, facts_of, is_to_be_told, plan_name, said_elsewhere
from policies.rule import Rule, Verdict, rule
from policies.words import names, some


@rule(
    "training-plan-zone",
    title="A group on a training plan is in the plan's Region and zone",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="A plan is of the Region in its ARN, and its instances are in one zone there. A group whose subnets are "
    "elsewhere gets none of them, and is taken back while the plan runs on.",
    source="SageMaker API, ReservedCapacitySummary (AvailabilityZone); awslabs/agent-plugins capacity-planning",
    remedy="Give the group the subnet of the plan's zone.",
    facts=("rules.md#60", "rules.md#24", "hardware.md#d4", "hardware.md#R19"),
)
def training_plan_zone(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    if (region := region_in(group.training_plan)) and fleet.region and region != fleet.region:
        yield rule.finding(
            group.place,
            at="capacity.training-plan.arn",
            got=f"training plan {plan_name(group)} is in {region}, the stack in {fleet.region}",
            remedy=f"name a plan in {fleet.region}, or set aws:region: {region}",
        )
        return
    declared, observed = declared_zone(group), facts_of(group, fleet).zone
    if said_elsewhere(group, fleet):
        yield rule.finding(
            group.place,
            at="capacity.training-plan.zone",
            got=f"training plan {plan_name(group)} is declared in {declared}; SageMaker says {observed}",
            remedy=f"write zone: {observed}",
        )
        if group.zone == declared:
            return  # it follows its plan
    zone = observed or (None if is_to_be_told(group, fleet) else declared)
    if zone is None:
        where = fleet.missing(f"the zone of training plan {plan_name(group)}")
        yield rule.unjudged(
            group.place, "the training plan, not known before creation" if group.training_plan is UNKNOWN else where
        )
        return
    if group.subnets is UNKNOWN:
        yield rule.unjudged(group.place, f"the subnets of {called(group)}, not known before creation")
        return
    zones = fleet.zones_of(group.subnets)
    if not group.subnets:
        return  # group-has-subnet speaks of these
    if zones is None:
        yield rule.unjudged(group.place, fleet.missing(f"the zones of subnets {names(group.subnets)}"))
    elif zones != {zone}:
        yield rule.finding(
            group.place,
            at="zone",
            got=f"{called(group)} is in {some(zones)}, and its training plan in {zone}",
            remedy=f"give it only a subnet of {zone}",
        )
