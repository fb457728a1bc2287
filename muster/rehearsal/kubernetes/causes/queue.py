"""Causes in Kueue's queues: why a Workload has no quota."""

import re
from collections.abc import Collection

from muster.rehearsal.kubernetes.workloads import QueueState, Workload
from muster.rehearsal.outcome import Cause

_ABSENT = re.compile(r"doesn't exist|is terminating or missing|ClusterQueue \S+ not found")
_NOT_COVERED = re.compile(r"resource (\S+) unavailable in ClusterQueue")
_NO_FLAVOR = re.compile(r"untolerated taint|doesn't match node affinity")
_QUOTA = re.compile(r"insufficient unused quota|insufficient quota [^;]*?maximum capacity \((?!0\))")
"""A flavor takes the pods, and has too little. One without any of a resource is not for them."""
_IN_USE = "insufficient unused quota"
_NAMESPACE = "namespace doesn't match ClusterQueue selector"
"""Of Kueue's sentence (`pkg/workload/resources.go`)."""


def queue_cause(workload: Workload, queue: QueueState, described: Collection[str]) -> Cause:
    """Why Kueue does not admit a Workload.

    Args:
        workload: it is not admitted.
        queue: its LocalQueue's state.
        described: the queues of the description.
    """
    condition = workload.kept_out
    assert condition is not None
    name, own = queue.cluster_queue, queue.cluster_queue in described
    where = "addons.kueue" if own else ""
    if queue.inactive:
        return Cause(
            "queue-stopped",
            f"Kueue admits no job from the queue '{workload.queue}': {queue.inactive}",
            "mend the queue as those words say, or name another one",
            where,
        )
    if _ABSENT.search(condition.message):
        return Cause(
            "queue-missing",
            f"Kueue admits it from no queue: {condition.message}",
            "name a queue that is there, or put its objects into the job's file, if the cluster has them",
        )
    if _NAMESPACE in condition.message:
        return Cause(
            "queue-namespace",
            f"the ClusterQueue '{name}' takes no jobs of this namespace",
            f"change the namespaceSelector of the ClusterQueue '{name}', or send the job in a namespace of its own",
            where,
        )
    if missing := sorted(set(_NOT_COVERED.findall(condition.message))):
        return Cause(
            "queue-resource",
            f"the ClusterQueue '{name}' does not cover {', '.join(missing)}, which the job requests",
            "add it to the ClusterQueue's coveredResources with a quota, or let the job do without it",
        )
    in_use = _IN_USE in condition.message
    if _NO_FLAVOR.search(condition.message) and not _QUOTA.search(condition.message):
        return Cause(
            "queue-flavor",
            f"no ResourceFlavor of the ClusterQueue '{name}' takes its pods",
            "let the job tolerate and select what Kueue's message names",
        )
    why = "other jobs have the quota that it requests" if in_use else "it requests more than the queue can have"
    more = f"give the queue more (addons.kueue.queues.{name})" if own else "raise the ClusterQueue's nominalQuota"
    return Cause(
        "queue-quota",
        f"Kueue does not admit it from the queue '{workload.queue}': {why}",
        f"{more}, or let the job ask for less",
        where,
    )
