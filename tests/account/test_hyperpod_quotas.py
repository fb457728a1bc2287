"""SageMaker's quotas of HyperPod: what is asked, and what other clusters have."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.topics.hyperpod import HYPERPOD_QUOTAS
from muster.fleet.facts import Facts
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, IN_ONE_CLUSTER, LARGEST_VOLUME
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.quota_answers import says
from tests.account.sound_quotas import ROOM

M5, WORKERS = "ml.m5.2xlarge for cluster usage", "ml.p5.48xlarge for cluster usage"
LIMITS = (IN_ONE_CLUSTER, IN_ALL_CLUSTERS, LARGEST_VOLUME)


def of_hyperpod(stack: str = "hyperpod-p5", **instead: Any) -> Facts:
    """What is learned of SageMaker's quotas."""
    return run_topic(HYPERPOD_QUOTAS, needs(stack), says(stack, **instead))[0].facts


def test_applied_quotas_come_before_defaults() -> None:
    """By name, as SageMaker lists them; where the applied ones are not known, no default is taken for one. Training
    plans have quotas of their own."""
    listed = {"Quotas": [{"QuotaName": WORKERS, "Value": 3.0}, {"QuotaName": M5}]}
    found = of_hyperpod(service__quotas_ListServiceQuotas=listed)
    assert found.hyperpod_quotas == {WORKERS: 3, **dict.fromkeys(LIMITS, ROOM)}
    assert of_hyperpod(service__quotas_ListServiceQuotas=None).hyperpod_quotas == {}
    assert set(of_hyperpod("hyperpod-training-plan").hyperpod_quotas) == {M5, *LIMITS}


PLAN = {"TrainingPlanArn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p"}
M5_GROUP = {"InstanceType": "ml.m5.2xlarge", "TargetCount": 0}
MIXED = {
    "InstanceRequirements": {"CurrentInstanceTypes": ["ml.p5.48xlarge", "ml.m5.2xlarge"]},
    "InstanceTypeDetails": [
        {"InstanceType": "ml.p5.48xlarge", "CurrentCount": 1},
        {"InstanceType": "ml.m5.2xlarge", "CurrentCount": 2},
    ],
}


@pytest.mark.parametrize("kind", ["InstanceGroups", "RestrictedInstanceGroups"])
@pytest.mark.parametrize(
    ("groups", "workers", "machines", "every"),
    [
        ([], 0, 0, 0),
        ([{"CurrentCount": 2, "TargetCount": 3}], 3, 0, 3),
        ([{"CurrentCount": 2, "TargetCount": 0}], 2, 0, 2),
        ([{"CurrentCount": 2}, {"CurrentCount": 5, **M5_GROUP}], 2, 5, 7),
        ([{"CurrentCount": 2, "CapacityRequirements": {"Spot": {}}}], 0, 0, 2),
        ([{"CurrentCount": 2, **PLAN}], 0, 0, 2),
        ([{"InstanceType": None, **MIXED}], 1, 2, 3),
    ],
    ids=["none", "growing", "shrinking", "two-types", "spot", "plan", "mixed"],
)
def test_what_other_clusters_have_is_counted(kind: str, groups: Any, workers: int, machines: int, every: int) -> None:
    """By type, on demand; all of them together; none for what is no sum of clusters. The stack's own is left out.
    SageMaker lists the groups of Nova models apart: they run beside the others."""

    def described(asked: Mapping[str, Any]) -> Any:
        assert asked["ClusterName"] != "hyperpod-p5"
        made = [{"InstanceType": "ml.p5.48xlarge", "CurrentCount": 3, "TargetCount": 0, **each} for each in groups]
        kept = [{key: value for key, value in each.items() if value is not None} for each in made]
        return {"ClusterName": asked["ClusterName"], "InstanceGroups": [{"CurrentCount": 1, **M5_GROUP}], kind: kept}

    clusters = {"ClusterSummaries": [{"ClusterName": "another"}, {"ClusterName": "hyperpod-p5"}]}
    beside = 1 if kind != "InstanceGroups" else 0
    found = of_hyperpod(sagemaker_ListClusters=clusters, sagemaker_DescribeCluster=described)
    counted = {WORKERS: workers, M5: machines + beside, IN_ALL_CLUSTERS: every + beside}
    assert found.hyperpod_quotas_used == counted


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
    found = of_hyperpod(**instead)
    assert (found.hyperpod_quotas_used, found.hyperpod_quotas[WORKERS]) == ({}, ROOM)
