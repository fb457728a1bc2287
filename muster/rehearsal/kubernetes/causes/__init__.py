"""Why a pod waits: which cause the scheduler's words have in the description or the job, and what mends it.

The scheduler counts nodes by its filters ("4 Insufficient nvidia.com/gpu"); it cannot know that they have GPUs which no
plugin offers, or that one node more would do. This goes the same way over the nodes as they are and as they are
planned: those that have the devices at all, of these the ones the pod may go to, of these the ones that take it, and
there the arithmetic of what it asks, node by node: what is free on two nodes is free on neither.
"""

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
    unoffered_devices_cause,
)
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod, has_devices, no_such_devices
from muster.rehearsal.kubernetes.causes.pod_spec import CLAIM_MISSING, claim_cause, rule_cause, setting_cause
from muster.rehearsal.kubernetes.causes.resources import beyond_a_node, full, scattered, sum_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.outcome import Cause

__all__ = ["CLAIM_MISSING", "DEEP_HEALTH_CHECKS", "PendingPod", "cause_of", "endless_checks"]


def cause_of(asking: PendingPod, scene: ClusterSnapshot, reason: str) -> Cause:
    """Why the pod waits.

    Args:
        asking: the pod.
        scene: the nodes, with what all running pods use.
        reason: the scheduler's words.
    """
    own = setting_cause(asking.pod, scene) or claim_cause(reason) or deep_checks(asking, scene)
    if own:
        return own
    after = once_checked(scene)
    return node_lost(asking, after) or _among_nodes(asking, after, reason)


def _among_nodes(asking: PendingPod, scene: ClusterSnapshot, reason: str) -> Cause:
    able = [node for node in scene.nodes if has_devices(node, asking.asks)]
    if not able:
        return empty_group(asking, scene) or no_such_devices(asking, scene)
    chosen = [node for node in able if not asking.unmet(node)]
    if not chosen:
        return empty_group(asking, scene) or ec2_name(asking, able) or not_chosen(asking, able)
    taken = [node for node in chosen if not asking.untolerated(node)]
    return _arithmetic(asking, taken, scene, reason) if taken else not_tolerated(asking, chosen)


def _arithmetic(asking: PendingPod, nodes: list[LiveNode], scene: ClusterSnapshot, reason: str) -> Cause:
    """Of nodes that the pod may go to: what they have too little of."""
    if any(not asking.lacks(node) for node in nodes):
        return rule_cause(reason, asking.pod, nodes) or Cause(
            "scheduler-says",
            "labels, taints and amounts would let it run; something else keeps it",
            "go by the scheduler's own words: what volumes ask of a node, for one, is judged by it alone",
        )
    # Before the nodes are called full: those that would take it if they offered what they have.
    if (found := unoffered_devices_cause(asking, nodes, scene)) is not None:
        return found
    sums = tuple(sum_of(resource, number, nodes) for resource, number in sorted(asking.asks.items()))
    for each in sums:
        if each.most_on_a_node < each.asked:
            return beyond_a_node(each, nodes, scene)
    short = tuple(each for each in sums if each.asked > each.most_free)
    return full(asking, nodes, scene, short) if short else scattered(asking, nodes, scene, sums)
