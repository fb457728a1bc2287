"""Names of roles, as IAM takes them."""

import json

import pytest

from muster.fleet.iam import name_prefix, pod_trust, trust


@pytest.mark.parametrize(
    ("cluster", "prefix"),
    [("c" * 31, f"{'c' * 31}-nodes-"), ("c" * 32, f"{'c' * 32}-node-"), ("c" * 50, "c" * 37 + "-")],
)
def test_a_names_prefix_is_cut_to_38_characters(cluster: str, prefix: str) -> None:
    """IAM takes 38 at most; the dash before the engine's own letters stays."""
    assert name_prefix(cluster, "nodes") == prefix
    assert len(prefix) == 38


def test_a_role_is_trusted_by_one_service() -> None:
    """In the language of 2012: without it IAM reads a policy of 2008, which knows no variables."""
    said = {"Effect": "Allow", "Principal": {"Service": "a.amazonaws.com"}, "Action": ["sts:A", "sts:B"]}
    assert json.loads(trust("a.amazonaws.com", "sts:B", "sts:A")) == {"Version": "2012-10-17", "Statement": [said]}
    condition = {"StringEquals": {"a": "b"}}
    assert json.loads(trust("a.amazonaws.com", "sts:A", "sts:B", condition=condition)) == {
        "Version": "2012-10-17",
        "Statement": [{**said, "Condition": condition}],
    }


def test_pods_are_trusted_by_namespace_and_service_account() -> None:
    """EKS user guide, "pod-id-abac"."""
    assert json.loads(pod_trust("ours", "trainer"))["Statement"] == [
        {
            "Effect": "Allow",
            "Principal": {"Service": "pods.eks.amazonaws.com"},
            "Action": ["sts:AssumeRole", "sts:TagSession"],
            "Condition": {
                "StringEquals": {
                    "aws:RequestTag/kubernetes-namespace": "ours",
                    "aws:RequestTag/kubernetes-service-account": "trainer",
                }
            },
        }
    ]
