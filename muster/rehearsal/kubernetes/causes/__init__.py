"""Why a pod waits: the cause in the description or the job, and its remedy.

The scheduler counts nodes by its filters ("4 Insufficient nvidia.com/gpu"). It does not know that they have GPUs which
no plugin offers, or that one more node would be enough. `cause_of` filters the nodes, as they are and as planned: first
those that have the devices, then those that selector and affinity allow, then those whose taints the pod tolerates. On
the remaining nodes it compares the requests with the free resources, node by node.
"""

from muster.rehearsal.kubernetes.causes.claims import CLAIM_MISSING, claim_cause
from muster.rehearsal.kubernetes.causes.device_claims import (
    allocation_fault,
    requested_classes_cause,
    requested_not_claimed,
)
from muster.rehearsal.kubernetes.causes.gang import gang_cause
from muster.rehearsal.kubernetes.causes.hyperpod import (
    DEEP_HEALTH_CHECKS,
    deep_checks,
    ec2_name,
    endless_checks,
    once_checked,
)
from muster.rehearsal.kubernetes.causes.node_selection import (
    empty_group,
    node_lost,
    not_chosen,
    not_tolerated,
    once_joined,
    unoffered_devices_cause,
)
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod, has_devices, no_such_devices
from muster.rehearsal.kubernetes.causes.pod_spec import larger_than_a_domain, rule_cause, setting_cause
from muster.rehearsal.kubernetes.causes.queue import queue_cause
from muster.rehearsal.kubernetes.causes.resources import beyond_a_node, full, scattered, sum_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.outcome import Cause

__all__ = [
    "CLAIM_MISSING",
    "DEEP_HEALTH_CHECKS",
    "SCHEDULER_SAYS",
    "PendingPod",
    "cause_of",
    "endless_checks",
    "gang_cause",
    "queue_cause",
]

SCHEDULER_SAYS = "scheduler-says"
"""The cause of a pod that fits some node by labels, taints and resources."""


def cause_of(pending: PendingPod, snapshot: ClusterSnapshot, reason: str) -> Cause:
    """Why the pod waits.

    Args:
        pending: the pod.
        snapshot: the nodes, with what all running pods use.
        reason: the scheduler's message.
    """
    own = (
        setting_cause(pending.pod, snapshot)
        or claim_cause(reason)
        or requested_classes_cause(pending, snapshot)
        or allocation_fault(reason)
        or deep_checks(pending, snapshot)
    )
    if own:
        return own
    after = once_checked(snapshot)
    return node_lost(pending, after) or _among_nodes(pending, after, reason)


def _among_nodes(pending: PendingPod, snapshot: ClusterSnapshot, reason: str) -> Cause:
    able = [node for node in snapshot.nodes if has_devices(node, pending.requests)]
    if not able:
        return (
            _in_empty_groups(pending, snapshot)
            or requested_not_claimed(pending, snapshot)
            or _unsuitable_groups(pending, snapshot)
            or no_such_devices(pending, snapshot)
        )
    chosen = [node for node in able if not pending.unmet(node)]
    if not chosen:
        return _in_empty_groups(pending, snapshot) or ec2_name(pending, able) or not_chosen(pending, able)
    taken = [node for node in chosen if not pending.untolerated(node)]
    return _arithmetic(pending, taken, snapshot, reason) if taken else not_tolerated(pending, chosen)


def _in_empty_groups(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause in groups without nodes whose nodes the pod may be on: it waits for one, or requests more than such a
    node has. None if there is no such group."""
    if (waits := empty_group(pending, snapshot)) is not None:
        return waits
    nodes = [once_joined(node) for node in snapshot.absent if pending.suits(node)]
    sums = (sum_of(resource, number, nodes) for resource, number in sorted(pending.requests.items()) if nodes)
    return next((beyond_a_node(each, nodes, snapshot) for each in sums if each.most_on_a_node < each.asked), None)


def _unsuitable_groups(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if selector, affinity or taints exclude every group that has the devices; None if no group has them."""
    able = [node for node in snapshot.absent if has_devices(node, pending.requests)]
    chosen = [node for node in able if not pending.unmet(node)]
    if not able:
        return None
    return not_tolerated(pending, chosen) if chosen else ec2_name(pending, able) or not_chosen(pending, able)


def _arithmetic(pending: PendingPod, nodes: list[LiveNode], snapshot: ClusterSnapshot, reason: str) -> Cause:
    """The cause in resources of which the allowed nodes have too little."""
    if (large := larger_than_a_domain(pending, nodes)) is not None:
        return large
    if any(not pending.lacks(node) for node in nodes):
        return rule_cause(reason, pending, nodes, snapshot) or Cause(
            SCHEDULER_SAYS,
            "a node matches the pod's labels, taints and resources, but the scheduler refuses it for another reason",
            "read the scheduler's message: for example, only the scheduler checks a volume's requirements for a node",
        )
    # First the nodes that would fit if they offered their devices.
    if (found := unoffered_devices_cause(pending, nodes, snapshot)) is not None:
        return found
    sums = tuple(sum_of(resource, number, nodes) for resource, number in sorted(pending.requests.items()))
    for each in sums:
        if each.most_on_a_node < each.asked:
            return beyond_a_node(each, nodes, snapshot)
    short = tuple(each for each in sums if each.asked > each.most_free)
    return full(pending, nodes, snapshot, short) if short else scattered(pending, nodes, snapshot, sums)
