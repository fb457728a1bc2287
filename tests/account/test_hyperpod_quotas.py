"""SageMaker's quotas of HyperPod: what is asked, and what other clusters have."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.topics.hyperpod import HYPERPOD_QUOTAS
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, IN_ONE_CLUSTER, LARGEST_VOLUME
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.quota_answers import says
from tests.account.sound_quotas import ROOM

M5, WORKERS = "ml.m5.2xlarge for cluster usage", "ml.p5.48xlarge for cluster usage"
LIMITS = (IN_ONE_CLUSTER, IN_ALL_CLUSTERS, LARGEST_VOLUME)


def of_hyperpod(stack: str, **instead: Any) -> tuple[Mapping[str, int], list[str]]:
    """SageMaker's quotas, and the operations that it took."""
    learned, canned = run_topic(HYPERPOD_QUOTAS, needs(stack), says(stack, **instead))
    return learned.facts.hyperpod_quotas, [each.operation for each in canned.queries]


def test_applied_quotas_come_before_defaults() -> None:
    """By name, as SageMaker lists them; where the applied ones are not known, no default is taken for one."""
    listed = {"Quotas": [{"QuotaName": WORKERS, "Value": 3.0}, {"QuotaName": M5}]}
    found, _ = of_hyperpod("hyperpod-p5", service__quotas_ListServiceQuotas=listed)
    assert found == {WORKERS: 3, **dict.fromkeys(LIMITS, ROOM)}
    assert of_hyperpod("hyperpod-p5", service__quotas_ListServiceQuotas=None)[0] == {}


def test_groups_on_a_training_plan_are_counted_by_none() -> None:
    """Plans have quotas of their own."""
    found, _ = of_hyperpod("hyperpod-training-plan")
    assert set(found) == {M5, *LIMITS}


SPOT = {"CapacityRequirements": {"Spot": {}}}
MIXED = {
    "InstanceRequirements": {"CurrentInstanceTypes": ["ml.p5.48xlarge", "ml.m5.2xlarge"]},
    "InstanceTypeDetails": [
        {"InstanceType": "ml.p5.48xlarge", "CurrentCount": 1},
        {"InstanceType": "ml.m5.2xlarge", "CurrentCount": 2},
    ],
}


@pytest.mark.parametrize(
    ("groups", "workers", "machines", "every"),
    [
        ([], 0, 0, 0),
        ([{"CurrentCount": 2, "TargetCount": 3}], 3, 0, 3),
        ([{"CurrentCount": 2, "TargetCount": 0}], 2, 0, 2),
        ([{"CurrentCount": 2}, {"CurrentCount": 5, "InstanceType": "ml.m5.2xlarge"}], 2, 5, 7),
        ([{"CurrentCount": 2, **SPOT}], 0, 0, 2),
        ([{"CurrentCount": 2, "TrainingPlanArn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p"}], 0, 0, 2),
        ([{"InstanceType": None, **MIXED}], 1, 2, 3),
    ],
    ids=["none", "growing", "shrinking", "two-types", "spot", "plan", "mixed"],
)
def test_what_other_clusters_have_is_counted(groups: Any, workers: int, machines: int, every: int) -> None:
    """By type, on demand; all of them together; none for what is no sum of clusters. The stack's own is left out."""

    def described(asked: Mapping[str, Any]) -> Any:
        assert asked["ClusterName"] != "hyperpod-p5"
        made = [{"InstanceType": "ml.p5.48xlarge", "CurrentCount": 3, "TargetCount": 0, **each} for each in groups]
        kept = [{key: value for key, value in each.items() if value is not None} for each in made]
        return {"ClusterName": asked["ClusterName"], "InstanceGroups": kept}

    clusters = {"ClusterSummaries": [{"ClusterName": "another"}, {"ClusterName": "hyperpod-p5"}]}
    instead = {"sagemaker_ListClusters": clusters, "sagemaker_DescribeCluster": described}
    learned, _ = run_topic(HYPERPOD_QUOTAS, needs("hyperpod-p5"), says("hyperpod-p5", **instead))
    assert learned.facts.hyperpod_quotas_used == {WORKERS: workers, M5: machines, IN_ALL_CLUSTERS: every}


def test_restricted_groups_are_counted_beside_the_others() -> None:
    """SageMaker lists those of Nova models apart: they run all the same, those of plans for no type's quota."""
    made = {"InstanceType": "ml.p5.48xlarge", "CurrentCount": 1, "TargetCount": 1}
    plan = {**made, "TrainingPlanArn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p"}
    restricted = [{**made, "TargetCount": 3}, {**made, "InstanceType": "ml.m5.2xlarge"}, plan]
    instead = {
        "sagemaker_ListClusters": {"ClusterSummaries": [{"ClusterName": "another"}]},
        "sagemaker_DescribeCluster": {"InstanceGroups": [made], "RestrictedInstanceGroups": restricted},
    }
    learned, _ = run_topic(HYPERPOD_QUOTAS, needs("hyperpod-p5"), says("hyperpod-p5", **instead))
    assert learned.facts.hyperpod_quotas_used == {WORKERS: 4, M5: 1, IN_ALL_CLUSTERS: 6}


@pytest.mark.parametrize(
    "instead",
    [
        {"sagemaker_ListClusters": None},
        {"sagemaker_DescribeCluster": None},
        {"sagemaker_ListClusters": {"ClusterSummaries": [{"ClusterName": f"c{n}"} for n in range(41)]}},
    ],
    ids=["no-list", "one-denied", "too-many"],
)
def test_what_other_clusters_have_is_known_whole_or_not(instead: Any) -> None:
    """A sum that lacks some would be taken for all."""
    learned, _ = run_topic(HYPERPOD_QUOTAS, needs("hyperpod-p5"), says("hyperpod-p5", **instead))
    assert learned.facts.hyperpod_quotas_used == {}
    assert learned.facts.hyperpod_quotas[WORKERS] == ROOM
