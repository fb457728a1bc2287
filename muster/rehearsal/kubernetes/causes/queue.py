"""Causes in Kueue's queues: why a Workload has no quota."""

import re
from collections.abc import Mapping

from muster.message_text import did_you_mean
from muster.rehearsal.kubernetes.workloads import QueueState, Workload
from muster.rehearsal.outcome import Cause

_ABSENT = re.compile(r"doesn't exist|is terminating or missing|ClusterQueue \S+ not found")
_NOT_COVERED = re.compile(r"resource (\S+) unavailable in ClusterQueue")
_NO_FLAVOR = re.compile(r"untolerated taint|doesn't match node affinity")
_QUOTA = re.compile(r"insufficient unused quota|insufficient quota [^;]{0,255}?maximum capacity \((?!0\))")
"""A flavor fits the pods, but has too little quota. A flavor with none of a resource does not fit them."""
_IN_USE = "insufficient unused quota"
_NAMESPACE = "namespace doesn't match ClusterQueue selector"
"""A part of Kueue's message (`pkg/workload/resources.go`)."""

_OF_CLAIMS = re.compile(r"spec\.podSets\[\d+\]\.template\.spec\.resourceClaims\[")
_NOT_MAPPED = "is not mapped in DRA configuration"
"""Kueue's messages about claims for devices (`pkg/dra`)."""


def queue_cause(workload: Workload, queue: QueueState, described: Mapping[str, str]) -> Cause:
    """Why Kueue does not admit a Workload.

    Args:
        workload: it is not admitted.
        queue: its LocalQueue's state.
        described: the ClusterQueues of the description, each with the key that sets its quota.
    """
    condition = workload.kept_out
    assert condition is not None
    name, own = queue.cluster_queue, described.get(queue.cluster_queue, "")
    where = ".".join(own.split(".")[:2])
    if queue.inactive:
        return Cause(
            "queue-stopped",
            f"Kueue admits no jobs from the queue '{workload.queue}': {queue.inactive}",
            "fix the queue according to this message, or choose another queue",
            where,
        )
    if _ABSENT.search(condition.message):
        return _missing(workload.queue, condition.message, queue)
    if _NAMESPACE in condition.message:
        return Cause(
            "queue-namespace",
            f"the ClusterQueue '{name}' accepts no jobs from this namespace",
            f"change the namespaceSelector of the ClusterQueue '{name}', or submit the job in a namespace that it "
            "accepts",
            where,
        )
    if (found := _resource_cause(condition.message, name, where)) is not None:
        return found
    in_use = _IN_USE in condition.message
    if _NO_FLAVOR.search(condition.message) and not _QUOTA.search(condition.message):
        return Cause(
            "queue-flavor",
            f"no ResourceFlavor of the ClusterQueue '{name}' fits the job's pods",
            "add the tolerations and node selectors in Kueue's message to the job",
        )
    why = "other jobs use the quota that it requests" if in_use else "it requests more than the queue's maximum"
    more = f"raise the queue's quota ({own})" if own else "raise the ClusterQueue's nominalQuota"
    return Cause(
        "queue-quota",
        f"Kueue does not admit the job from the queue '{workload.queue}': {why}",
        f"{more}, or reduce the requests of the job",
        where,
    )


def _missing(name: str, message: str, queue: QueueState) -> Cause:
    """The cause if the job's LocalQueue does not exist, or its ClusterQueue."""
    if not queue.local_queues:
        return Cause(
            "queue-missing",
            f"Kueue cannot admit the job, because its queue does not exist: {message}",
            "choose an existing queue, or, if the cluster has this queue, put its objects into the job's file",
        )
    elsewhere = [namespace for namespace, each in queue.local_queues if each == name]
    here = [each for namespace, each in queue.local_queues if namespace == queue.namespace]
    said = f"Kueue cannot admit the job, because namespace '{queue.namespace}' has no LocalQueue '{name}'"
    remedy = "if the cluster has this queue, put its objects into the job's file"
    if elsewhere:
        return Cause(
            "queue-missing",
            f"{said}: it is in namespace '{elsewhere[0]}'",
            f"submit the job in namespace {elsewhere[0]}, or choose a queue of its own namespace",
        )
    listed = ", ".join(here or (f"{each} in {namespace}" for namespace, each in queue.local_queues))
    choose = "choose one of them, or" if here else "submit the job in the namespace of its queue, or"
    return Cause("queue-missing", f"{said}{did_you_mean(name, here)} (LocalQueues: {listed})", f"{choose} {remedy}")


def _resource_cause(message: str, queue: str, where: str) -> Cause | None:
    """Resources, or claimed devices, that the ClusterQueue does not count; None if Kueue's message names none."""
    if missing := sorted(set(_NOT_COVERED.findall(message))):
        return Cause(
            "queue-resource",
            f"the ClusterQueue '{queue}' does not cover {', '.join(missing)}, which the job requests",
            "add it to the ClusterQueue's coveredResources with a quota, or do not request it",
        )
    if not _OF_CLAIMS.search(message):
        return None
    remedy = (
        "map the DeviceClass in Kueue's configuration (resources.deviceClassMappings), and give the queue a quota of "
        "the resource, as Muster's default does for groups with DRA drivers"
        if _NOT_MAPPED in message
        else "claim devices with ResourceClaimTemplates that set a count, without what Kueue's message names"
    )
    return Cause(
        "queue-claims", "Kueue cannot count the devices that the job claims, so it does not admit it", remedy, where
    )
