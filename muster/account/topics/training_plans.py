"""Training plans of SageMaker that instance groups name."""

from datetime import UTC

from muster.account.answer import Answer
from muster.account.question import Question
from muster.account.told import told
from muster.account.topic import Inquiry, Learned, Said, Topic, Wanted
from muster.fleet.blueprint import Blueprint
from muster.fleet.description.identifiers import PLACEHOLDER
from muster.fleet.facts import Facts, TrainingPlanFacts


def _inquire(wanted: Wanted) -> Inquiry:
    arns = _named(wanted)
    if not arns:
        return Learned()
    answers = yield [_question(arn) for arn in arns]
    known = {arn: _facts(answer) for arn, answer in zip(arns, answers, strict=True) if answer.answered}
    said = tuple(Said(f"training plan {_name(arn)}", _words(plan)) for arn, plan in known.items())
    return Learned(Facts(trainingPlans=known), said)


def _named(wanted: Wanted) -> list[str]:
    """Those that are filled in, each once."""
    groups = wanted.blueprint.instance_groups if isinstance(wanted.blueprint, Blueprint) else ()
    arns = (str(each.instance_group.training_plan) for each in groups if each.instance_group.training_plan)
    return [arn for arn in dict.fromkeys(arns) if PLACEHOLDER not in arn]


def _question(arn: str) -> Question:
    # The parameter takes a name or an ARN (SageMaker API, DescribeTrainingPlan).
    asked = {"TrainingPlanName": arn}
    return Question(
        "sagemaker",
        "DescribeTrainingPlan",
        f"training plan {_name(arn)}",
        asked,
        absent=frozenset({"ResourceNotFound"}),
    )


def _facts(answer: Answer) -> TrainingPlanFacts:
    """What is said of it. Its type and zone are its reserved capacity's, where all of that is alike."""
    if answer.result is None:
        return TrainingPlanFacts(exists=False)
    said = answer.result
    held = said.get("ReservedCapacitySummaries", [])
    types, zones = ({each[key] for each in held if key in each} for key in ("InstanceType", "AvailabilityZone"))
    values = {
        "exists": True,
        "state": said.get("Status"),
        "instanceType": types.pop() if len(types) == 1 else None,
        "zone": zones.pop() if len(zones) == 1 else None,
        "totalInstances": said.get("TotalInstanceCount"),
        "targets": said.get("TargetResources"),
        "end": said.get("EndTime"),
    }
    return told(TrainingPlanFacts, {key: value for key, value in values.items() if value is not None})


def _name(arn: str) -> str:
    return arn.rpartition("/")[2]


def _words(plan: TrainingPlanFacts) -> str:
    if not plan.exists:
        return "there is none in this account and Region"
    parts = (
        plan.state,
        f"{plan.total_instances} x {plan.instance_type}" if plan.total_instances and plan.instance_type else None,
        f"for {' and '.join(plan.targets)}" if plan.targets else None,
        plan.zone,
        f"until {plan.end.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if plan.end else None,
    )
    return ", ".join(str(part) for part in parts if part)


TRAINING_PLANS = Topic("training plans", _inquire, {"sagemaker:DescribeTrainingPlan": "*"})
