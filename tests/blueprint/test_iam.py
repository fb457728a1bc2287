"""Names as AWS takes them, tags, and who may assume a role."""

import json

import pytest

from muster.blueprint.iam import SERVICES, name_prefix, trust
from muster.blueprint.logical_names import LONGEST_PREFIX, bucket_prefix


@pytest.mark.parametrize(
    ("cluster", "prefix"),
    [("c" * 31, f"{'c' * 31}-nodes-"), ("c" * 32, f"{'c' * 32}-node-"), ("c" * 50, "c" * 37 + "-")],
)
def test_a_names_prefix_is_cut_to_38_characters(cluster: str, prefix: str) -> None:
    """IAM takes 38 at most; the dash before the engine's own letters stays."""
    assert name_prefix(cluster, "nodes") == prefix
    assert len(prefix) == 38


@pytest.mark.parametrize(
    ("prefix", "made"),
    [
        ("sagemaker-test-mlflow", "sagemaker-test-mlflow-"),
        (f"sagemaker-{'a' * 40}-mlflow", f"sagemaker-{'a' * 26}-"),
        (f"sagemaker-{'a' * 25}-mlflow", f"sagemaker-{'a' * 25}-"),
        (f"sagemaker-{'a' * 24}--bcd", f"sagemaker-{'a' * 24}-"),
        ("sagemaker-Pod-1", "sagemaker-pod-1-"),
    ],
)
def test_a_buckets_name_begins_as_is_said(prefix: str, made: str) -> None:
    """As far as the provider takes it, and with one dash before the provider's own letters."""
    assert bucket_prefix(prefix) == made
    assert bucket_prefix(made) == made, "rules see one name, whoever has cut it"
    assert len(made) <= LONGEST_PREFIX


@pytest.mark.parametrize("service", SERVICES)
def test_no_role_has_a_condition_that_its_service_does_not_meet(service: str) -> None:
    """A key that the service does not send makes the role unusable; one that it sends is never left out."""
    policy = trust(
        service, "sts:AssumeRole", account="111122223333", arn="arn:aws:eks:us-west-2:111122223333:cluster/c"
    )
    (statement,) = json.loads(policy)["Statement"]
    assert {key for keys in statement.get("Condition", {}).values() for key in keys} == set(SERVICES[service])
    if SERVICES[service]:
        with pytest.raises(ValueError, match="aws:SourceAccount"):
            trust(service, "sts:AssumeRole")
