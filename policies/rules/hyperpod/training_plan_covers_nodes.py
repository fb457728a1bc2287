"""Instances of a training plan against the groups that are on it."""

from collections.abc import Iterator

from muster.fleet.facts import TrainingPlanFacts, TrainingPlanState
from muster.fleet.resources import Fleet, InstanceGroup
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, quantity_text, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import display_name, plan_facts_expected, plan_name, training_plan_facts


@rule(
    "training-plan-covers-nodes",
    title="A training plan holds the instances of all groups on it, and others leave them free",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod gives a group no on-demand instances where its plan has none left: the group comes incomplete or is "
    "taken back.",
    source="SageMaker API, DescribeTrainingPlan (TotalInstanceCount, AvailableInstanceCount)",
    remedy="Ask for as many as the plan holds.",
    facts=("rules.md#60", "rules.md#25", "hardware.md#d4"),
)
def training_plan_covers_nodes(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is None:
        return
    if group.training_plan is UNKNOWN:
        yield rule.unjudged(group.place, f"the training plan of {display_name(group)}, not known before creation")
        return
    plan = group.capacity.training_plan if group.capacity else None
    known = training_plan_facts(group, fleet)
    declared, observed = plan.count if plan else None, known.total_instances
    in_plan = observed or declared
    on_it = [each for each in fleet.of(InstanceGroup) if each.training_plan == group.training_plan]
    wanted = sum(each.nodes_start for each in on_it if each.nodes_start is not UNKNOWN)
    unknown = [display_name(each) for each in on_it if each.nodes_start is UNKNOWN]
    who, asks = and_list(display_name(each) for each in on_it), singular_or_plural(on_it, "asks", "ask")
    to_be_told = plan_facts_expected(group, fleet)
    if in_plan is None or (observed is None and to_be_told):
        yield rule.unjudged(group.place, fleet.missing(f"the instances of training plan {plan_name(group)}"))
    elif wanted > in_plan:
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{who} {asks} for {wanted} instances, and training plan {plan_name(group)} holds {in_plan}",
            remedy=f"ask for {in_plan}, or put others into a group without the plan",
        )
    elif _runs(known) and known.available_instances is not None and wanted > known.available_instances:
        free = known.available_instances
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{who} {asks} for {quantity_text(wanted, 'instance')}, and of training plan {plan_name(group)} {free} "
            f"{'is' if free == 1 else 'are'} free (SageMaker says so; what this stack's cluster has of it counts as "
            "free)",
            remedy=f"ask for {free} until others leave it, or put others into a group without the plan",
        )
    elif declared and observed and declared != observed:
        yield rule.finding(
            group.place,
            at="capacity.training-plan.count",
            got=f"training plan {plan_name(group)} is declared with {quantity_text(declared, 'instance')}; SageMaker "
            "says "
            f"{observed}",
            remedy=f"write count: {observed}",
        )
    if _runs(known) and known.available_instances is None and to_be_told and observed and wanted <= observed:
        yield rule.unjudged(
            group.place, fleet.missing(f"how many instances of training plan {plan_name(group)} are free")
        )
    if unknown and in_plan is not None and wanted <= in_plan:
        yield rule.unjudged(group.place, f"the numbers of instances of {and_list(unknown)}, not known before creation")


def _runs(known: TrainingPlanFacts) -> bool:
    """Whether it gives instances: before it begins, nothing of it is free."""
    return known.state is TrainingPlanState.ACTIVE
