"""Instance types of training plans."""

from collections.abc import Iterator

from muster.fleet.hardware.hyperpod_types import nearest_types, takes_training_plan, training_plan_types
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.reading.training_plans import facts_of, is_to_be_told, plan_name
from policies.rule import Rule, Verdict, rule
from policies.words import choice


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
        yield rule.unjudged(group.place, f"the instance type of {called(group)}, not known before creation")
        return
    held = facts_of(group, fleet).instance_type
    for each in group.instance_types:
        if held is not None and each != held:
            got = f"{called(group)} asks for {each}, and its training plan holds {held}"
            yield rule.finding(group.place, at="instance", got=got, remedy=f"take {held}, or another plan")
        elif held is None and not takes_training_plan(each):
            near = nearest_types(each, training_plan_types()) or ("a type that plans hold",)
            got = f"{called(group)} asks for {each} on a training plan, and no plan holds that"
            yield rule.finding(group.place, at="instance", got=got, remedy=f"take {choice(near)}, or no plan")
        elif held is None and is_to_be_told(group, fleet):
            yield rule.unjudged(group.place, fleet.missing(f"the instance type of training plan {plan_name(group)}"))
