"""SageMaker's quotas of HyperPod: what is asked, and what other clusters have."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.topics.hyperpod import HYPERPOD_QUOTAS
from muster.hardware.hyperpod_quotas import CODES, IN_ALL_CLUSTERS, IN_ONE_CLUSTER, LARGEST_VOLUME
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.quota_answers import says
from tests.account.sound_quotas import ROOM, quota

M5, WORKERS = "ml.m5.2xlarge for cluster usage", "ml.p5.48xlarge for cluster usage"
LIMITS = (IN_ONE_CLUSTER, IN_ALL_CLUSTERS, LARGEST_VOLUME)


def of_hyperpod(stack: str, **instead: Any) -> tuple[Mapping[str, int], list[str]]:
    """SageMaker's quotas, and the operations that it took."""
    learned, canned = run_topic(HYPERPOD_QUOTAS, needs(stack), says(stack, **instead))
    return learned.facts.hyperpod_quotas, [each.operation for each in canned.queries]


def test_known_codes_are_asked_one_by_one() -> None:
    """Without the list, which is long."""
    found, operations = of_hyperpod("hyperpod-p5")
    assert found == dict.fromkeys((M5, WORKERS, *LIMITS), ROOM)
    assert operations == [*["GetServiceQuota"] * 5, "ListClusters", "DescribeCluster"]


def test_a_type_without_a_code_is_looked_for_in_the_list() -> None:
    """By name, beside the others; a page has as many as there may be."""
    found, operations = of_hyperpod("hyperpod-trn1")
    trn1 = "ml.trn1.32xlarge for cluster usage"
    assert trn1 not in CODES
    assert found[trn1] == ROOM
    assert operations.count("ListServiceQuotas") == 1
    assert "ListAWSDefaultServiceQuotas" not in operations


def test_a_code_of_another_quota_is_not_believed() -> None:
    """The name decides: the list is asked then."""

    def wrong(asked: Mapping[str, Any]) -> Any:
        said = quota(asked)
        if asked["QuotaCode"] == CODES[WORKERS] and isinstance(said, dict):
            return {"Quota": {**said["Quota"], "QuotaName": "ml.p5.48xlarge for endpoint usage", "Value": 1.0}}
        return said

    listed = {"Quotas": [{"QuotaName": WORKERS, "Value": 3.0}]}
    instead = {"service__quotas_GetServiceQuota": wrong, "service__quotas_ListServiceQuotas": listed}
    found, operations = of_hyperpod("hyperpod-p5", **instead)
    assert found[WORKERS] == 3
    assert operations[-2:] == ["ListServiceQuotas", "DescribeCluster"]


def test_what_the_list_lacks_is_a_default() -> None:
    """A quota that is not applied is in the other list; but not where the first was not answered."""
    trn1 = {"Quotas": [{"QuotaName": "ml.trn1.32xlarge for cluster usage", "Value": 0.0}]}
    lacking = {"service__quotas_ListServiceQuotas": {"Quotas": []}, "service__quotas_ListAWSDefaultServiceQuotas": trn1}
    assert of_hyperpod("hyperpod-trn1", **lacking)[0]["ml.trn1.32xlarge for cluster usage"] == 0
    found, operations = of_hyperpod("hyperpod-trn1", **{**lacking, "service__quotas_ListServiceQuotas": None})
    assert "ml.trn1.32xlarge for cluster usage" not in found
    assert "ListAWSDefaultServiceQuotas" not in operations


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
    """A sum that lacks some would be taken for all; the line says so."""
    learned, _ = run_topic(HYPERPOD_QUOTAS, needs("hyperpod-p5"), says("hyperpod-p5", **instead))
    assert learned.facts.hyperpod_quotas_used == {}
    said = {each.about: each.words for each in learned.lines}
    assert said[f"quota {WORKERS}"] == f"{ROOM}, use by other clusters unknown"
    assert said[f"quota {IN_ONE_CLUSTER}"] == f"{ROOM}"
