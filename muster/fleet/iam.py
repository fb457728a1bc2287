"""What IAM is told of roles, whoever registers them. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from muster.fleet.zones import partition_of

_LONGEST_PREFIX = 38


def trust(service: str, *actions: str, condition: Mapping[str, Any] | None = None) -> str:
    """A role's trust policy for one AWS service, as JSON."""
    statement: dict[str, Any] = {"Effect": "Allow", "Principal": {"Service": service}, "Action": sorted(actions)}
    if condition:
        statement["Condition"] = condition
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def pod_trust(namespace: str, service_account: str) -> str:
    """A trust policy for the pods of one service account only, as JSON (EKS user guide, "pod-id-abac")."""
    condition = {
        "StringEquals": {
            "aws:RequestTag/kubernetes-namespace": namespace,
            "aws:RequestTag/kubernetes-service-account": service_account,
        }
    }
    return trust("pods.eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession", condition=condition)


def managed_policy(region: str, name: str) -> str:
    """The ARN of an AWS managed policy."""
    return f"arn:{partition_of(region)}:iam::aws:policy/{name}"


def name_prefix(cluster: str, name: str) -> str:
    """The beginning of a role's or an instance profile's name: IAM takes 38 characters of prefix."""
    return f"{cluster}-{name}"[: _LONGEST_PREFIX - 1] + "-"
