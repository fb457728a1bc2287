"""The labels and taints that HyperPod sets on its Kubernetes nodes: their group and their health.

Labels: SageMaker AI guide, "Resilience-related Kubernetes labels by SageMaker HyperPod"; aws/sagemaker-hyperpod-cli
011ca92, `src/sagemaker/hyperpod/cli/constants/command_constants.py`; awslabs/awsome-distributed-ai 95b939c,
`hyperpod-mental-model.md`. The blog that introduced them has other names for two of them (`deep-health-check`,
`UnschedulablePendingReplace`); the guide and the CLI are right (sagemaker-hyperpod-cli#386).

Taint: there is one, regardless of the label: while deep health checks run, and once the health monitoring agent has
found a fault (awslabs/agent-plugins, `hyperpod-node-debugger`; sagemaker-hyperpod-cli#449 has the scheduler's
message about it). It keeps new pods off the node, and evicts none.
"""

from enum import StrEnum

from muster.blueprint.cluster import Blueprint
from muster.fleet.resources import Taint

_PREFIX = "sagemaker.amazonaws.com"

COMPUTE_TYPE = f"{_PREFIX}/compute-type"
HYPERPOD = "hyperpod"
"""The value of this label on every node of HyperPod."""

CLUSTER = f"{_PREFIX}/cluster-name"
"""The HyperPod cluster's name, which is not the EKS cluster's."""

GROUP = f"{_PREFIX}/instance-group-name"

NODE_HEALTH = f"{_PREFIX}/node-health-status"
DEEP_CHECKS = f"{_PREFIX}/deep-health-check-status"
"""Only on nodes of groups that have deep health checks."""

FAULTS = (f"{_PREFIX}/fault-types", f"{_PREFIX}/fault-reasons")


class Health(StrEnum):
    """Values of `NODE_HEALTH`."""

    SCHEDULABLE = "Schedulable"
    CHECKED = "Unschedulable"
    """Deep health checks run on it."""
    TO_REPLACE = "UnschedulablePendingReplacement"
    TO_REBOOT = "UnschedulablePendingReboot"


class DeepChecks(StrEnum):
    """Values of `DEEP_CHECKS`."""

    IN_PROGRESS = "InProgress"
    PASSED = "Passed"
    FAILED = "Failed"


TAINT = Taint(NODE_HEALTH, "Unschedulable", "NoSchedule")

CHECKS_TAKE = "about two hours"
"""SageMaker AI guide, "Suggested resilience configurations": for every instance that is new in the cluster."""


def identity_labels(blueprint: Blueprint, group: str) -> dict[str, str]:
    """The labels that HyperPod sets on every node of an instance group, besides the labels of the description; `Health`
    has the labels for its health."""
    name = blueprint.hyperpod.cluster.name if blueprint.hyperpod else None
    return {COMPUTE_TYPE: HYPERPOD, CLUSTER: name or blueprint.cluster_name, GROUP: group}


def node_labels(group: str, cluster: str | None = None) -> dict[str, str]:
    """The labels of a node that passed its checks; without the HyperPod cluster's where that is not known."""
    named = {CLUSTER: cluster} if cluster else {}
    return {COMPUTE_TYPE: HYPERPOD, GROUP: group, NODE_HEALTH: Health.SCHEDULABLE.value, **named}
