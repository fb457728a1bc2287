"""Training plans of SageMaker that instance groups name."""

from collections.abc import Mapping

from muster.account import held
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.told import told
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.blueprint import Blueprint
from muster.fleet.description.identifiers import PLACEHOLDER
from muster.fleet.facts import Facts, TrainingPlanFacts


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    arns = _named(wanted)
    if not arns:
        return Learned()
    *answers, own = yield [*(held.training_plan(arn) for arn in arns), held.hyperpod_cluster(_own(wanted))]
    of_own = held.on_plans(own)
    known = {arn: _facts(arn, answer, of_own) for arn, answer in zip(arns, answers, strict=True) if answer.answered}
    said = tuple(Said(f"training plan {held.plan_name(arn)}", _words(plan)) for arn, plan in known.items())
    return Learned(Facts(trainingPlans=known), said)


def _named(wanted: Wanted) -> list[str]:
    """Those that are filled in, each once."""
    groups = wanted.blueprint.instance_groups if isinstance(wanted.blueprint, Blueprint) else ()
    arns = (str(each.instance_group.training_plan) for each in groups if each.instance_group.training_plan)
    return [arn for arn in dict.fromkeys(arns) if PLACEHOLDER not in arn]


def _own(wanted: Wanted) -> str:
    """The stack's HyperPod cluster: what it runs is no other's."""
    hyperpod = wanted.blueprint.hyperpod if isinstance(wanted.blueprint, Blueprint) else None
    return str(hyperpod.cluster.name if hyperpod else wanted.blueprint.cluster_name)


def _facts(arn: str, answer: Answer, of_own: Mapping[str, int] | None) -> TrainingPlanFacts:
    """What is said of it. Its type and zone are its reserved capacity's, where all of that is alike."""
    if answer.result is None:
        return TrainingPlanFacts(exists=False)
    said = answer.result
    parts = said.get("ReservedCapacitySummaries", [])
    types, zones = ({each.get(key) for each in parts} for key in ("InstanceType", "AvailabilityZone"))
    free = said.get("AvailableInstanceCount")
    values = {
        "exists": True,
        "state": said.get("Status"),
        "instanceType": types.pop() if len(types) == 1 else None,
        "zone": zones.pop() if len(zones) == 1 else None,
        "totalInstances": said.get("TotalInstanceCount"),
        "availableInstances": None if free is None or of_own is None else free + of_own.get(arn, 0),
        "targets": said.get("TargetResources"),
        "start": said.get("StartTime"),
        "end": said.get("EndTime"),
    }
    return told(TrainingPlanFacts, {key: value for key, value in values.items() if value is not None})


def _words(plan: TrainingPlanFacts) -> str:
    if not plan.exists:
        return "there is none in this account and Region"
    parts = (
        plan.state,
        f"{plan.total_instances} x {plan.instance_type}" if plan.total_instances and plan.instance_type else None,
        None if plan.available_instances is None else f"{plan.available_instances} free or the stack's own",
        f"for {' and '.join(plan.targets)}" if plan.targets else None,
        plan.zone,
        f"from {plan.start:%Y-%m-%d %H:%M} UTC" if plan.start else None,
        f"until {plan.end:%Y-%m-%d %H:%M} UTC" if plan.end else None,
    )
    return ", ".join(str(part) for part in parts if part)


TRAINING_PLANS = Topic(
    "training plans",
    _inquire,
    frozenset({"trainingPlans"}),
    dict.fromkeys(("sagemaker:DescribeCluster", "sagemaker:DescribeTrainingPlan"), "*"),
)
