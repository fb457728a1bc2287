"""The quotas of teams: the requests that SageMaker takes, and what they come to."""

from typing import Any

import pytest

from muster.blueprint.hyperpod.task_governance import compute_quota_request
from muster.fleet.resources.task_governance import QuotaAmount, QuotaResources, quota_resources
from muster.hardware.catalogue import hardware
from tests.aws_schemas import api_faults
from tests.factories.hyperpod import a_hyperpod_blueprint

ARN = "arn:aws:sagemaker:us-west-2:111122223333:cluster/abcdefghijkl"
TEAM = {"quota": {"p5.48xlarge": {"instances": 2}}}


def request(team: dict[str, Any]) -> dict[str, Any]:
    """The request for the only team of a cluster."""
    blueprint = a_hyperpod_blueprint({"hyperpod.task-governance": {"teams": {"research": team}}}, "test")
    assert blueprint.hyperpod is not None
    (quota,) = blueprint.hyperpod.quotas
    return compute_quota_request(quota, blueprint, ARN)


@pytest.mark.parametrize(
    "team",
    [
        TEAM,
        {**TEAM, "sharing": "none", "weight": 100, "preempt-own-jobs": False},
        {**TEAM, "sharing": "lend"},
        {**TEAM, "borrow-percent": 10_000},
        {**TEAM, "borrow-limits": {"p5.48xlarge": {"accelerators": 8, "vcpus": 192, "memory": "2048GiB"}}},
        {"quota": {"p5.48xlarge": {"partitions": {"profile": "mig-1g.10gb", "count": 7}}}},
        {"quota": {f"g5.{size}xlarge": {"instances": 1} for size in (2, 4, 8, 12, 16, 24, 48)}},
    ],
)
def test_sagemaker_takes_every_quota(team: dict[str, Any]) -> None:
    """By the API's own model."""
    assert api_faults(request(team), "CreateComputeQuota") == []


@pytest.mark.parametrize(
    ("amount", "resources"),
    [
        ({"instances": 2}, (16, 384, 4096)),
        ({"accelerators": 4}, (4, 96, 1024)),
        ({"accelerators": 4, "vcpus": 10}, (4, 10, 1024)),
        ({"vcpus": 96}, (0, 96, 1024)),
        ({"memory_gib": 512}, (0, 48, 512)),
        ({"partition": "mig-1g.10gb", "partitions": 28}, (4, 96, 1024)),
        ({"instances": 0}, (0, 0, 0)),
    ],
)
def test_what_is_not_set_follows_from_the_share_of_the_instance(
    amount: dict[str, Any], resources: tuple[float, ...]
) -> None:
    """SageMaker guide, "Allocating compute quota": accelerators first, then vCPUs, then memory."""
    found = quota_resources(QuotaAmount("ml.p5.48xlarge", **amount), hardware("p5.48xlarge"))
    assert found == pytest.approx(QuotaResources(*resources))
