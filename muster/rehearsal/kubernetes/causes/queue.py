"""Causes in Kueue's queues: why a Workload has no quota."""

import re
from collections.abc import Collection

from muster.rehearsal.kubernetes.workloads import QueueState, Workload
from muster.rehearsal.outcome import Cause

QUOTA = "queue-quota"

_NO_FIT = ("NoMatchingFlavor",)
_NO_QUOTA = {
    "ExceedsMaxQuota": "it requests more than the queue can have",
    "WaitingForQuota": "other jobs have the quota that it requests",
    "WaitingForPreemptedWorkloads": "jobs that it preempts still have the quota",
}
_ABSENT = re.compile(r"doesn't exist|is terminating or missing|not found")


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
    if "namespace" in condition.message:
        return Cause(
            "queue-namespace",
            f"the ClusterQueue '{name}' takes no jobs of this namespace",
            f"change the namespaceSelector of the ClusterQueue '{name}', or send the job in a namespace of its own",
            where,
        )
    if condition.reason in _NO_FIT:
        return Cause(
            "queue-flavor",
            f"no ResourceFlavor of the ClusterQueue '{name}' takes its pods",
            "let the job tolerate and select what Kueue's message names, or give the ClusterQueue the resource",
            where,
        )
    more = f"give the queue more (addons.kueue.queues.{name})" if own else "raise the ClusterQueue's nominalQuota"
    return Cause(
        QUOTA,
        f"Kueue does not admit it from the queue '{workload.queue}': "
        + _NO_QUOTA.get(condition.reason, "it waits for quota"),
        f"{more}, or let the job ask for less",
        where,
    )
