"""Whether a training plan can still be used, and by HyperPod."""

from collections.abc import Iterator
from datetime import timedelta

from pydantic import Field

from muster.fleet.facts import TrainingPlanState
from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.instance_groups import called
from policies.reading.training_plans import facts_of, plan_name
from policies.rule import Rule, Verdict, rule
from policies.words import some

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
    if group.training_plan is None or fleet.gone(Kind.TRAINING_PLAN, group.training_plan):
        return
    known, at = facts_of(group, fleet), "capacity.training-plan.arn"
    if group.training_plan is UNKNOWN:
        yield rule.unjudged(group.place, f"the training plan of {called(group)}, not known before creation")
        return
    name = plan_name(group)
    lacking = {"the state": known.state, "the target": known.targets}
    for what in (what for what, value in lacking.items() if value is None):
        yield rule.unjudged(group.place, fleet.missing(f"{what} of training plan {name}"))
    if known.targets is not None and _TARGET not in known.targets:
        got = f"training plan {name} is for {some(known.targets)}"
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
        got = f"training plan {name} {waits}, and {called(group)} asks for instances now"
        yield rule.finding(group.place, at=at, got=got, remedy="ask for 0 instances (nodes: 0) until it is Active")
