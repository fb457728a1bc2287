"""What SageMaker says of training plans."""

from datetime import UTC, datetime
from typing import Any

import pytest

from muster.account.topics.capacity import TRAINING_PLANS
from muster.fleet.facts import TrainingPlanFacts
from tests.account.canned import ABSENT, Canned, run_topic
from tests.account.needs import needs

ARN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/spring"
SAID: dict[str, Any] = {
    "TrainingPlanArn": ARN,
    "Status": "Scheduled",
    "TotalInstanceCount": 4,
    "AvailableInstanceCount": 1,
    "TargetResources": ["hyperpod-cluster"],
    "EndTime": datetime(2027, 1, 30, 11, 30, tzinfo=UTC),
    "ReservedCapacitySummaries": [{"InstanceType": "ml.p5en.48xlarge", "AvailabilityZone": "us-west-2a"}],
}
KNOWN = {
    "exists": True,
    "state": "Scheduled",
    "instanceType": "ml.p5en.48xlarge",
    "zone": "us-west-2a",
    "totalInstances": 4,
    "availableInstances": 1,
    "targets": ["hyperpod-cluster"],
    "end": "2027-01-30T11:30:00Z",
}
PARTS = [{"InstanceType": "ml.p5en.48xlarge", "AvailabilityZone": zone} for zone in ("us-west-2a", "us-west-2b")]


def told(plan: Any, cluster: Any = ABSENT) -> tuple[TrainingPlanFacts, Canned]:
    """What is learned of the plan, by answers about it and about the stack's HyperPod cluster."""
    wanted = needs("hyperpod-training-plan", {"hyperpod.name": "spring-pods"})
    answers = {"sagemaker.DescribeTrainingPlan": plan, "sagemaker.DescribeCluster": cluster}
    learned, canned = run_topic(TRAINING_PLANS, wanted, answers)
    return learned.facts.training_plans[ARN], canned


@pytest.mark.parametrize(
    ("said", "known"),
    [
        (SAID, KNOWN),
        ({**SAID, "ReservedCapacitySummaries": PARTS}, {**KNOWN, "zone": None}),
        (ABSENT, {"exists": False}),
    ],
    ids=["a plan", "in two zones", "none"],
)
def test_what_is_learned_of_a_plan(said: Any, known: Any) -> None:
    """A plan of several parts has a type and a zone where all have the same. The stack's cluster is asked for by the
    HyperPod cluster's name, which need not be the EKS cluster's."""
    learned, canned = told(said)
    assert learned == TrainingPlanFacts.model_validate(known)
    assert {"ClusterName": "spring-pods"} in [dict(each.parameters) for each in canned.queries]


def group(count: int, **more: Any) -> dict[str, Any]:
    """An instance group of that many."""
    return {"InstanceType": "ml.p5en.48xlarge", "CurrentCount": count, "TargetCount": count, **more}


ON_IT = group(1, TrainingPlanArn=ARN)
OWN = [group(2, TrainingPlanArn=ARN), ON_IT, group(4, TrainingPlanArn=f"{ARN}-2"), group(8)]


@pytest.mark.parametrize(
    ("plan", "cluster", "free"),
    [
        (SAID, {"InstanceGroups": OWN}, 4),
        (SAID, {"InstanceGroups": OWN, "RestrictedInstanceGroups": [group(5, TrainingPlanArn=ARN)]}, 9),
        (SAID, {"InstanceGroups": [], "RestrictedInstanceGroups": [ON_IT]}, 2),
        (SAID, None, None),
        ({key: each for key, each in SAID.items() if key != "AvailableInstanceCount"}, {"InstanceGroups": OWN}, None),
        ({**SAID, "AvailableInstanceCount": 0}, {"InstanceGroups": [{"TrainingPlanArn": ARN}]}, None),
        ({**SAID, "AvailableInstanceCount": 0}, {"ClusterName": "ours"}, None),
    ],
    ids=[
        *("its own", "restricted groups beside", "restricted groups alone", "no right to ask", "not told"),
        *("a group without a count", "no list"),
    ],
)
def test_what_the_stacks_own_cluster_has_counts_as_free(plan, cluster, free) -> None:
    """For a stack that is deployed again it is; where nobody says what it has, nothing is known."""
    assert told(plan, cluster)[0].available_instances == free
