"""Causes on HyperPod's nodes: their deep health checks, and the names of their instance types."""

from collections.abc import Sequence
from dataclasses import replace

from muster.blueprint.hyperpod.node_labels import CHECKS_TAKE, DEEP_CHECKS, NODE_HEALTH, TAINT, DeepChecks, Health
from muster.blueprint.labels import INSTANCE_TYPE
from muster.rehearsal.kubernetes.causes.node_selection import not_served, unoffered_devices_cause
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod, sum_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.outcome import Cause, count_by_group

DEEP_HEALTH_CHECKS = "hyperpod-deep-checks"
"""The only cause that ends without a change."""

_PREFIX = "ml."
_TYPES = (INSTANCE_TYPE, "beta.kubernetes.io/instance-type")


def once_checked(snapshot: ClusterSnapshot) -> ClusterSnapshot:
    """The same nodes once every deep health check has passed."""
    if not any(map(_is_checked, snapshot.nodes)):
        return snapshot
    return replace(snapshot, nodes=tuple(_passed(node) if _is_checked(node) else node for node in snapshot.nodes))


def deep_checks(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if HyperPod still checks nodes that have room for the pod; None if no such node fits.

    If no plugin offers the devices on them, that is the cause, because the checks also use those devices.
    """
    nodes = [node for node in snapshot.nodes if _is_checked(node) and pending.suits(_passed(node))]
    if not nodes:
        return None
    found = unoffered_devices_cause(pending, nodes, snapshot)
    if found is not None:
        return found
    if all(pending.lacks(node) for node in nodes):
        return None
    them = "it" if len(nodes) == 1 else "them"
    return Cause(
        DEEP_HEALTH_CHECKS,
        f"{count_by_group(nodes)} could run the pod, but HyperPod's deep health checks are still running on {them}, "
        "and no pod can start there until they end",
        f"wait: the checks take {CHECKS_TAKE} on every new instance; "
        f"`kubectl get nodes -L {DEEP_CHECKS}` shows their progress",
        f"groups.{nodes[0].group}.hyperpod.deep-health-checks",
    )


def endless_checks(snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if deep health checks cannot end, because no plugin offers the devices; None if they can."""
    checked = [node for node in snapshot.nodes if _is_checked(node)]
    for resource in sorted({name for node in checked for name in node.amounts}):
        idle = [node for node in checked if node.planned(resource) and not node.offered(resource)]
        if idle:
            cause = not_served(sum_of(resource, 1, idle), idle, snapshot)
            return replace(
                cause, said=(f"{cause.said}; HyperPod's deep health checks need {resource}, so they cannot pass")
            )
    return None


def ec2_name(pending: PendingPod, nodes: Sequence[LiveNode]) -> Cause | None:
    """The cause if the pod selects nodes by EC2's name of their type, although HyperPod's nodes have SageMaker's name;
    else None."""
    for node in nodes:
        name = node.labels.get(INSTANCE_TYPE, "")
        of_ec2 = {**node.labels, **dict.fromkeys(_TYPES, name.removeprefix(_PREFIX))}
        if name.startswith(_PREFIX) and not pending.unmet(replace(node, labels=of_ec2)):
            key = next((each for each in _TYPES if each in pending.constraints.keys), INSTANCE_TYPE)
            return Cause(
                "hyperpod-instance-type",
                f"the pod requires nodes with {key}={of_ec2[key]}, which is EC2's name of the type, but HyperPod's "
                f"nodes have SageMaker's name, {name}",
                f"set {key}: {name}",
            )
    return None


def _is_checked(node: LiveNode) -> bool:
    return node.labels.get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS


def _passed(node: LiveNode) -> LiveNode:
    labels = {**node.labels, NODE_HEALTH: Health.SCHEDULABLE.value, DEEP_CHECKS: DeepChecks.PASSED.value}
    return replace(node, labels=labels, taints=tuple(each for each in node.taints if each != TAINT))
