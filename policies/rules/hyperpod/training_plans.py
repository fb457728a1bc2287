"""Training plans: their state, type, zone and instances."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from pydantic import Field

from muster.edits import Remedy, lower_to, remove, set_to
from muster.fleet.facts import TrainingPlanFacts, TrainingPlanState
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup
from muster.hardware.hyperpod_types import ML, ec2_names, nearest_types, takes_training_plan, training_plan_types
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list, quantity_text
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
        if of_plan is not None and each != of_plan:
            got = f"{display_name(group)} requests {each}, but its training plan holds {of_plan}"
            change: tuple[Remedy, ...] = (set_to(of_plan.removeprefix(ML), in_program=of_plan), "use another plan")
            yield rule.finding(group, "instance", got=got, change=change)
        elif of_plan is None and not takes_training_plan(each):
            near = nearest_types(each, training_plan_types()) or ("a type that training plans hold",)
            got = f"{display_name(group)} requests {each} from a training plan, but no training plan holds this type"
            change = (set_to(*ec2_names(near), in_program=near), remove(at="capacity.training-plan"))
            yield rule.finding(group, "instance", got=got, change=change)
    if plan_facts_expected(group, fleet):
        fleet.need(of_plan, f"the instance type of training plan {plan_name(group)}")


_TARGET = "hyperpod-cluster"
_OTHER = (set_to(words="an active plan"), "use another kind of capacity")


class Left(Options):
    """How much of a plan must remain."""

    days: int = Field(default=0, ge=0, le=365, description="Days that a plan must still last.")


def training_plan_usable(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None or fleet.gone(ResourceKind.TRAINING_PLAN, group.training_plan):
        return
    known, at = training_plan_facts(group, fleet), "capacity.training-plan.arn"
    name = plan_name(group)
    if known.targets is not None and _TARGET not in known.targets:
        got = f"training plan {name} is for {and_list(known.targets)}, not for {_TARGET}"
        yield rule.finding(group, at, got=got, change=set_to(words=f"a plan whose target is {_TARGET}"))
    if known.end and known.end.date() <= fleet.as_of + timedelta(days=Left.of(rule.settings).days):
        ended = "ended" if known.end.date() <= fleet.as_of else "ends"
        yield rule.finding(group, at, got=f"training plan {name} {ended} on {known.end.date()}", change=_OTHER)
    elif known.state in (TrainingPlanState.EXPIRED, TrainingPlanState.FAILED):
        yield rule.finding(group, at, got=f"training plan {name} is {known.state.value}", change=_OTHER)
    elif known.state in (TrainingPlanState.SCHEDULED, TrainingPlanState.PENDING) and group.nodes_start != 0:
        begins = f"; it begins on {known.start.date()}" if known.start else ""
        waits = f"has not begun ({known.state.value}{begins}), but {display_name(group)} requests instances now"
        change = set_to(0, at="nodes", words="until the plan is Active")
        yield rule.finding(group, at, got=f"training plan {name} {waits}", change=change)
    fleet.need(known.state, f"the state of training plan {name}")
    fleet.need(known.targets, f"the target of training plan {name}")


def training_plan_zone(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    if (region := region_in(group.training_plan)) and fleet.region and region != fleet.region:
        yield rule.finding(
            group,
            "capacity.training-plan.arn",
            got=f"training plan {plan_name(group)} is in {region}, but the stack is in {fleet.region}",
            change=(set_to(words=f"a plan in {fleet.region}"), f"set aws:region: {region}"),
        )
        return
    declared, observed = declared_zone(group), training_plan_facts(group, fleet).zone
    if zones_disagree(group, fleet):
        yield rule.finding(
            group,
            "capacity.training-plan.zone",
            got=f"the description sets zone {declared} for training plan {plan_name(group)}, but SageMaker reports "
            f"{observed}",
            change=set_to(observed),
        )
        if group.zone == declared:
            return  # the group takes its zone from the plan
    zone = observed or (None if plan_facts_expected(group, fleet) else declared)
    zone = fleet.need(zone, f"the zone of training plan {plan_name(group)}")
    if not group.subnets:
        return  # group-has-subnet reports these
    zones = fleet.need(fleet.zones_of(group.subnets), f"the zones of subnets {name_list(group.subnets)}")
    if zones != {zone}:
        got = f"{display_name(group)} is in {and_list(zones)}, but its training plan is in {zone}"
        yield rule.finding(group, "zone", got=got, change=set_to(zone, in_program=f"a subnet in {zone} only"))


def training_plan_covers_nodes(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    plan = group.capacity.training_plan if group.capacity else None
    known, name = training_plan_facts(group, fleet), f"training plan {plan_name(group)}"
    declared, observed = plan.count if plan else None, known.total_instances
    expected = plan_facts_expected(group, fleet)
    in_plan = observed or (None if expected else declared)
    in_plan = fleet.need(in_plan, f"the number of instances of {name}")
    free = known.available_instances if _runs(known) else None
    limit = in_plan if free is None else min(in_plan, free)
    sharing = _sharing(fleet)[group.training_plan]
    if declared and observed and declared != observed and sharing.wanted <= limit:
        got = f"the description sets {quantity_text(declared, 'instance')} for {name}, but SageMaker reports {observed}"
        yield rule.finding(group, "capacity.training-plan.count", got=got, change=set_to(observed))
    if sharing.more_than(limit):
        holds, words = f"{name} holds {limit}", "in total" if len(sharing.groups) > 1 else ""
        if sharing.wanted <= in_plan:
            words = "until more are free"
            holds = f"SageMaker reports {free} free in {name} (those of this stack's cluster count as free)"
        got = f"{sharing.requests} {quantity_text(sharing.wanted, 'instance')}, but {holds}"
        change = (lower_to(limit, words=words), "move the others to a group without the plan")
        yield rule.finding(group, "nodes", got=got, change=change)
    elif _runs(known) and expected:
        fleet.need(free, f"the number of free instances of {name}")


@cached_by_identity(4)
def _sharing(fleet: Fleet) -> Mapping[object, Sharing]:
    """Training plan -> the groups that use it."""
    return Sharing.by(fleet.of(InstanceGroup), lambda each: stored(each, "training_plan"))


def _runs(known: TrainingPlanFacts) -> bool:
    """Whether the plan provides instances: before it begins, none are free."""
    return known.state is TrainingPlanState.ACTIVE
