"""A training plan's state, instance type and zone."""

from collections.abc import Iterator
from datetime import timedelta

from pydantic import Field

from muster.fleet.facts import TrainingPlanState
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup
from muster.hardware.hyperpod_types import nearest_types, takes_training_plan, training_plan_types
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, name_list, or_list
from policies.engine.options import Options
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.account_facts import region_in
from policies.lookups.hyperpod import (
    declared_zone,
    display_name,
    plan_facts_expected,
    plan_name,
    training_plan_facts,
    zones_disagree,
)


@rule(
    "training-plan-type",
    title="A group on a training plan has the plan's instance type",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Plans hold instances of P4, P5, P6, Trn1 and Trn2 types only, each of one type: a group of another never gets "
    "one of them.",
    source="SageMaker API, ReservedCapacityInstanceType and DescribeTrainingPlan",
    remedy="Take the plan's type.",
    facts=("rules.md#24", "hardware.md#d4", "hardware.md#R19"),
)
def training_plan_type(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    if group.instance_types is UNKNOWN:
        yield rule.unjudged(group.place, f"the instance type of {display_name(group)}, not known before creation")
        return
    of_plan = training_plan_facts(group, fleet).instance_type
    for each in group.instance_types:
        if of_plan is not None and each != of_plan:
            got = f"{display_name(group)} asks for {each}, and its training plan holds {of_plan}"
            yield rule.finding(group.place, at="instance", got=got, remedy=f"take {of_plan}, or another plan")
        elif of_plan is None and not takes_training_plan(each):
            near = nearest_types(each, training_plan_types()) or ("a type that plans hold",)
            got = f"{display_name(group)} asks for {each} on a training plan, and no plan holds that"
            yield rule.finding(group.place, at="instance", got=got, remedy=f"take {or_list(near)}, or no plan")
        elif of_plan is None and plan_facts_expected(group, fleet):
            yield rule.unjudged(group.place, fleet.missing(f"the instance type of training plan {plan_name(group)}"))


_TARGET = "hyperpod-cluster"


class Left(Options):
    """How much of a plan is to be left."""

    days: int = Field(default=0, ge=0, le=365, description="How many days a plan must still last.")


@rule(
    "training-plan-usable",
    title="A training plan is active, and for HyperPod",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="A plan is bought for training jobs or for HyperPod clusters, never both, and gives instances only between its "
    "start and its end.",
    source="SageMaker API, DescribeTrainingPlan (Status, TargetResources)",
    remedy="Take a plan for HyperPod that has begun and not ended.",
    facts=("rules.md#26", "hardware.md#d4", "hardware.md#R19"),
    options=Left,
)
def training_plan_usable(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None or fleet.gone(ResourceKind.TRAINING_PLAN, group.training_plan):
        return
    known, at = training_plan_facts(group, fleet), "capacity.training-plan.arn"
    if group.training_plan is UNKNOWN:
        yield rule.unjudged(group.place, f"the training plan of {display_name(group)}, not known before creation")
        return
    name = plan_name(group)
    lacking = {"the state": known.state, "the target": known.targets}
    for what in (what for what, value in lacking.items() if value is None):
        yield rule.unjudged(group.place, fleet.missing(f"{what} of training plan {name}"))
    if known.targets is not None and _TARGET not in known.targets:
        got = f"training plan {name} is for {and_list(known.targets)}"
        yield rule.finding(group.place, at=at, got=got, remedy=f"take a plan whose target is {_TARGET}")
    if known.end and known.end.date() <= fleet.as_of + timedelta(days=Left.of(rule.settings).days):
        ended = "ended" if known.end.date() <= fleet.as_of else "ends"
        got = f"training plan {name} {ended} on {known.end.date()}"
        yield rule.finding(group.place, at=at, got=got, remedy="take a plan that runs, or another kind of capacity")
    elif known.state in (TrainingPlanState.EXPIRED, TrainingPlanState.FAILED):
        got = f"training plan {name} is {known.state.value}"
        yield rule.finding(group.place, at=at, got=got, remedy="take a plan that runs, or another kind of capacity")
    elif known.state in (TrainingPlanState.SCHEDULED, TrainingPlanState.PENDING) and group.nodes_start != 0:
        begins = f"; it begins on {known.start.date()}" if known.start else ""
        waits = f"has not begun ({known.state.value}{begins})"
        got = f"training plan {name} {waits}, and {display_name(group)} asks for instances now"
        yield rule.finding(group.place, at=at, got=got, remedy="ask for 0 instances (nodes: 0) until it is Active")


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
    declared, observed = declared_zone(group), training_plan_facts(group, fleet).zone
    if zones_disagree(group, fleet):
        yield rule.finding(
            group.place,
            at="capacity.training-plan.zone",
            got=f"training plan {plan_name(group)} is declared in {declared}; SageMaker says {observed}",
            remedy=f"write zone: {observed}",
        )
        if group.zone == declared:
            return  # it follows its plan
    zone = observed or (None if plan_facts_expected(group, fleet) else declared)
    if zone is None:
        where = fleet.missing(f"the zone of training plan {plan_name(group)}")
        yield rule.unjudged(
            group.place, "the training plan, not known before creation" if group.training_plan is UNKNOWN else where
        )
        return
    if group.subnets is UNKNOWN:
        yield rule.unjudged(group.place, f"the subnets of {display_name(group)}, not known before creation")
        return
    zones = fleet.zones_of(group.subnets)
    if not group.subnets:
        return  # group-has-subnet speaks of these
    if zones is None:
        yield rule.unjudged(group.place, fleet.missing(f"the zones of subnets {name_list(group.subnets)}"))
    elif zones != {zone}:
        yield rule.finding(
            group.place,
            at="zone",
            got=f"{display_name(group)} is in {and_list(zones)}, and its training plan in {zone}",
            remedy=f"give it only a subnet of {zone}",
        )
