"""Training plans: their state, type, zone and instances."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from pydantic import Field

from muster.edits import Remedy, lower_to, remove, set_to
from muster.fleet.facts import TrainingPlanState
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup
from muster.hardware.hyperpod_types import ML, ec2_names, nearest_types, takes_training_plan, training_plan_types
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import region_in
from muster.policies.lookups.hyperpod import (
    Sharing,
    declared_zone,
    display_name,
    plan_facts_expected,
    plan_name,
    training_plan_facts,
    zones_disagree,
)
from muster.unknown import stored


def training_plan_type(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(group, "training_plan") is None:
        return
    of_plan = training_plan_facts(group, fleet).instance_type
    for each in group.instance_types:
        change: tuple[Remedy, ...]
        if of_plan is not None and each != of_plan:
            holds = f"its training plan holds {of_plan}"
            change = (set_to(of_plan.removeprefix(ML), in_program=of_plan), "use another plan")
        elif of_plan is None and not takes_training_plan(each):
            near = nearest_types(each, training_plan_types()) or ("a type that training plans hold",)
            holds = "no training plan holds this type"
            change = (set_to(*ec2_names(near), in_program=near), remove(at="capacity.training-plan"))
        else:
            continue
        yield rule.finding(group, "instance", got=f"{display_name(group)} requests {each}, but {holds}", change=change)
    if plan_facts_expected(group, fleet):
        fleet.need(of_plan, f"the instance type of training plan {plan_name(group)}")


_AT = "capacity.training-plan.arn"
_TARGET = "hyperpod-cluster"
_OTHER = (set_to(words="an active plan"), "use another kind of capacity")


class Left(Options):
    """How much of a plan must remain."""

    days: int = Field(default=0, ge=0, le=365, description="Days that a plan must still last.")


def training_plan_usable(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None or fleet.gone(ResourceKind.TRAINING_PLAN, group.training_plan):
        return
    known, plan = training_plan_facts(group, fleet), f"training plan {plan_name(group)}"
    if known.targets is not None and _TARGET not in known.targets:
        got = f"{plan} is for {and_list(known.targets)}, not for {_TARGET}"
        yield rule.finding(group, _AT, got=got, change=set_to(words=f"a plan whose target is {_TARGET}"))
    if known.end and known.end.date() <= fleet.as_of + timedelta(days=Left.of(rule.settings).days):
        yield rule.finding(group, _AT, got=f"the last day of {plan} is {known.end.date()}", change=_OTHER)
    elif known.state in (TrainingPlanState.EXPIRED, TrainingPlanState.FAILED):
        yield rule.finding(group, _AT, got=f"{plan} is {known.state.value}", change=_OTHER)
    elif known.state in (TrainingPlanState.SCHEDULED, TrainingPlanState.PENDING) and group.nodes_start != 0:
        begins = f" and begins on {known.start.date()}" if known.start else ""
        got = f"{plan} is {known.state.value}{begins}, but {display_name(group)} requests instances now"
        yield rule.finding(group, _AT, got=got, change=set_to(0, at="nodes", words="until the plan is Active"))
    fleet.need(known.state, f"the state of {plan}")
    fleet.need(known.targets, f"the target of {plan}")


def training_plan_zone(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    plan, region = f"training plan {plan_name(group)}", region_in(group.training_plan)
    if region and fleet.region and region != fleet.region:
        got = f"{plan} is in {region}, but the stack is in {fleet.region}"
        change = (set_to(words=f"a plan in {fleet.region}"), f"set aws:region: {region}")
        yield rule.finding(group, _AT, got=got, change=change)
        return
    declared, observed = declared_zone(group), training_plan_facts(group, fleet).zone
    if zones_disagree(group, fleet):
        got = f"the description sets zone {declared} for {plan}, but SageMaker reports {observed}"
        yield rule.finding(group, "capacity.training-plan.zone", got=got, change=set_to(observed))
        if group.zone == declared:
            return  # the group takes its zone from the plan
    zone = observed or (None if plan_facts_expected(group, fleet) else declared)
    zone = fleet.need(zone, f"the zone of {plan}")
    if not group.subnets:
        return  # group-has-subnet reports these
    zones = fleet.need(fleet.zones_of(group.subnets), f"the zones of subnets {name_list(group.subnets)}")
    if zones != {zone}:
        got = f"{display_name(group)} is in {and_list(zones)}, but its training plan is in {zone}"
        yield rule.finding(group, "zone", got=got, change=set_to(zone, in_program=f"a subnet in {zone} only"))


def training_plan_covers_nodes(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    known, plan = training_plan_facts(group, fleet), f"training plan {plan_name(group)}"
    of_group = group.capacity.training_plan if group.capacity else None
    declared, observed = of_group.count if of_group else None, known.total_instances
    expected = plan_facts_expected(group, fleet)
    in_plan = fleet.need(observed or (None if expected else declared), f"the number of instances of {plan}")
    active = known.state is TrainingPlanState.ACTIVE  # before it begins, none are free
    free = known.available_instances if active else None
    limit = in_plan if free is None else min(in_plan, free)
    sharing = _sharing(fleet)[group.training_plan]
    if declared and observed and declared != observed and sharing.wanted <= limit:
        got = f"the description sets count {declared} for {plan}, but SageMaker reports {observed}"
        yield rule.finding(group, "capacity.training-plan.count", got=got, change=set_to(observed))
    if sharing.more_than(limit):
        of_cluster = " (those of this stack's cluster count as free)" if limit < in_plan else ""
        got = f"{sharing.requests}, but {plan} has {limit} of {in_plan} free{of_cluster}"
        several = len(sharing.groups) > 1
        at = f"/{group.place.path('capacity.training-plan.count')}"
        stated = (set_to(observed, at=at),) if declared and observed and declared != observed else ()
        fewer = lower_to(limit, words="in total" if several else "", also=stated)
        change = (fewer, "move the others to a group without the plan")
        yield rule.finding(group, "nodes", got=got, change=change)
    elif active and expected:
        fleet.need(free, f"the number of free instances of {plan}")


@cached_by_identity(4)
def _sharing(fleet: Fleet) -> Mapping[object, Sharing]:
    """Training plan -> the groups that use it."""
    return Sharing.by(fleet.of(InstanceGroup), lambda each: stored(each, "training_plan"))
