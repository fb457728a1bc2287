"""What SageMaker says of training plans."""

from datetime import UTC, datetime
from typing import Any

import pytest

from muster.account.topics.capacity import TRAINING_PLANS
from muster.fleet.facts import TrainingPlanFacts
from tests.account.canned import ABSENT, run_topic
from tests.account.needs import needs

STACK = "hyperpod-training-plan"
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


def saying(plan: Any, cluster: Any) -> dict[str, Any]:
    """The answers about the plan, and about the stack's HyperPod cluster."""
    return {"sagemaker.DescribeTrainingPlan": plan, "sagemaker.DescribeCluster": cluster}


def told(said: Any) -> TrainingPlanFacts | None:
    """What is learned of the plan."""
    learned, _ = run_topic(TRAINING_PLANS, needs(STACK), saying(said, ABSENT))
    return learned.facts.training_plans.get(ARN)


def test_what_is_learned_of_a_plan() -> None:
    """State, type, zone, count, target and end."""
    known = told(SAID)
    assert known == TrainingPlanFacts.model_validate(
        {
            "exists": True,
            "state": "Scheduled",
            "instanceType": "ml.p5en.48xlarge",
            "zone": "us-west-2a",
            "totalInstances": 4,
            "availableInstances": 1,
            "targets": ["hyperpod-cluster"],
            "end": "2027-01-30T11:30:00Z",
        }
    )


def test_a_plan_that_is_not_there_does_not_exist() -> None:
    """That is an answer; one that is not answered leaves nothing."""
    assert told(ABSENT) == TrainingPlanFacts(exists=False)
    assert told(None) is None


def test_capacity_in_two_zones_is_in_none_that_is_known() -> None:
    """A plan of several parts has a type and a zone where all have the same."""
    parts = [{"InstanceType": "ml.p5en.48xlarge", "AvailabilityZone": zone} for zone in ("us-west-2a", "us-west-2b")]
    known = told({**SAID, "ReservedCapacitySummaries": parts})
    assert known is not None
    assert (known.zone, known.instance_type) == (None, "ml.p5en.48xlarge")


def group(count: int, **more: Any) -> dict[str, Any]:
    """An instance group of that many."""
    return {"InstanceType": "ml.p5en.48xlarge", "CurrentCount": count, "TargetCount": count, **more}


OWN = {
    "InstanceGroups": [
        group(2, TrainingPlanArn=ARN),
        group(1, TrainingPlanArn=ARN),
        group(4, TrainingPlanArn=f"{ARN}-2"),
        group(8),
    ]
}


@pytest.mark.parametrize(
    ("plan", "cluster", "free"),
    [
        (SAID, OWN, 4),
        (SAID, {**OWN, "RestrictedInstanceGroups": [group(5, TrainingPlanArn=ARN)]}, 9),
        (SAID, ABSENT, 1),
        (SAID, None, None),
        ({key: each for key, each in SAID.items() if key != "AvailableInstanceCount"}, OWN, None),
        ({**SAID, "AvailableInstanceCount": 0}, {"InstanceGroups": [{"TrainingPlanArn": ARN}]}, None),
        ({**SAID, "AvailableInstanceCount": 0}, {"ClusterName": "ours"}, None),
        (SAID, {"InstanceGroups": [], "RestrictedInstanceGroups": [group(1, TrainingPlanArn=ARN)]}, 2),
    ],
    ids=[
        "its own",
        "restricted groups beside",
        "no cluster yet",
        "no right to ask",
        "not told",
        "a group without a count",
        "no list",
        "restricted groups alone",
    ],
)
def test_what_the_stacks_own_cluster_has_counts_as_free(plan, cluster, free) -> None:
    """For a stack that is deployed again it is; where nobody says what it has, nothing is known."""
    learned, _ = run_topic(TRAINING_PLANS, needs(STACK), saying(plan, cluster))
    assert learned.facts.training_plans[ARN].available_instances == free


def test_the_stacks_own_cluster_goes_by_its_name() -> None:
    """The HyperPod cluster's, which need not be the EKS cluster's."""
    _, canned = run_topic(TRAINING_PLANS, needs(STACK, {"hyperpod.name": "spring-pods"}), saying(SAID, ABSENT))
    assert [dict(each.parameters) for each in canned.queries] == [
        {"ClusterName": "spring-pods"},
        {"TrainingPlanName": ARN},
    ]
