"""Instances of a training plan compared with what its groups request."""

from collections.abc import Iterator, Mapping

from muster.edits import lower_to, set_to
from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.facts import TrainingPlanFacts, TrainingPlanState
from muster.fleet.resources import Fleet, InstanceGroup
from muster.message_text import count_noun
from muster.object_cache import cached_by_identity
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import Sharing, plan_facts_expected, plan_name, training_plan_facts
from muster.unknown import stored


@rule(
    "training-plan-covers-nodes",
    title="A training plan has enough free instances for all groups that use it",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="If a plan has no instances left, HyperPod does not use on-demand instances instead. The group stays "
    "incomplete or HyperPod rolls it back.",
    source=("https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_DescribeTrainingPlan.html",),
    remedy="Request at most the instances that the plan holds.",
    facts=("rules.md#60", "rules.md#25", "hardware.md#d4"),
)
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
        got = f"the description sets {count_noun(declared, 'instance')} for {name}, but SageMaker reports {observed}"
        yield rule.finding(group, "capacity.training-plan.count", got=got, change=set_to(observed))
    if sharing.more_than(limit):
        holds, words = f"{name} holds {limit}", "in total" if len(sharing.groups) > 1 else ""
        if sharing.wanted <= in_plan:
            words = "until more are free"
            holds = f"SageMaker reports {free} free in {name} (those of this stack's cluster count as free)"
        got = f"{sharing.requests} {count_noun(sharing.wanted, 'instance')}, but {holds}"
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
