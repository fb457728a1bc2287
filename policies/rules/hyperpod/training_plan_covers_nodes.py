"""Instances of a training plan compared with what its groups request."""

from collections.abc import Iterator, Mapping

from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.facts import TrainingPlanFacts, TrainingPlanState
from muster.fleet.resources import Fleet, InstanceGroup
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import quantity_text
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import Sharing, display_name, plan_facts_expected, plan_name, training_plan_facts
from muster.unknown import UNKNOWN


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
    if group.training_plan is UNKNOWN:
        yield rule.unjudged(group.place, f"the training plan of {display_name(group)} (known only after `pulumi up`)")
        return
    plan = group.capacity.training_plan if group.capacity else None
    known = training_plan_facts(group, fleet)
    declared, observed = plan.count if plan else None, known.total_instances
    in_plan = observed or declared
    sharing = _sharing(fleet)[group.training_plan]
    wanted, unknown = sharing.wanted, sharing.unknown
    all_ = " in total" if len(sharing.groups) > 1 else ""
    expected = plan_facts_expected(group, fleet)
    if in_plan is None or (observed is None and expected):
        yield rule.unjudged(group.place, fleet.missing(f"the number of instances of training plan {plan_name(group)}"))
    elif wanted > in_plan:
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{sharing.requests} {quantity_text(wanted, 'instance')}, but training plan {plan_name(group)} holds "
            f"{in_plan}",
            remedy=f"request at most {in_plan}, or move the others to a group without the plan",
            program_remedy=f"lower instanceCount to {in_plan}{all_}, or move the others to a group without the plan",
        )
    elif _runs(known) and known.available_instances is not None and wanted > known.available_instances:
        free = known.available_instances
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{sharing.requests} {quantity_text(wanted, 'instance')}, but SageMaker reports {free} free in "
            f"training plan {plan_name(group)} (those of this stack's cluster count as free)",
            remedy=f"request at most {free} until more are free, or move the others to a group without the plan",
            program_remedy=f"lower instanceCount to {free}{all_} until more are free, or move the others to a group "
            "without the plan",
        )
    elif declared and observed and declared != observed:
        yield rule.finding(
            group.place,
            at="capacity.training-plan.count",
            got=f"the description sets {quantity_text(declared, 'instance')} for training plan {plan_name(group)}, but "
            f"SageMaker reports {observed}",
            remedy=f"set count: {observed}",
        )
    if _runs(known) and known.available_instances is None and expected and observed and wanted <= observed:
        yield rule.unjudged(
            group.place, fleet.missing(f"the number of free instances of training plan {plan_name(group)}")
        )
    if unknown and in_plan is not None and wanted <= in_plan:
        yield rule.unjudged(group.place, f"the number of instances of {unknown} (known only after `pulumi up`)")


@cached_by_identity(4)
def _sharing(fleet: Fleet) -> Mapping[object, Sharing]:
    """Training plan -> the groups that use it."""
    return Sharing.by(fleet.of(InstanceGroup), lambda each: each.training_plan)


def _runs(known: TrainingPlanFacts) -> bool:
    """Whether the plan provides instances: before it begins, none are free."""
    return known.state is TrainingPlanState.ACTIVE
