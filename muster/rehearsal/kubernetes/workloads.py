"""Kueue's Workloads of a job: whether its quota is reserved, and why not."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.kubernetes.kueue import API

GATE = "kueue.x-k8s.io/admission"
"""The scheduling gate of a pod that Kueue has not admitted."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a Workload."""

    true: bool
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Workload:
    """A Workload as it was last seen."""

    name: str
    queue: str
    """Its LocalQueue."""
    cluster_queue: str
    """The ClusterQueue that has admitted it; empty if none has."""
    flavors: tuple[str, ...]
    """The ResourceFlavors of its pods, once it is admitted."""
    owners: tuple[str, ...]
    """The uids of the objects that own it."""
    conditions: Mapping[str, Condition]

    @property
    def admitted(self) -> bool:
        """Whether Kueue has admitted it."""
        condition = self.conditions.get("Admitted")
        return condition is not None and condition.true

    @property
    def kept_out(self) -> Condition | None:
        """The condition with the reason why it has no quota, or is not admitted with it; None until Kueue sets one."""
        quota, admitted = self.conditions.get("QuotaReserved"), self.conditions.get("Admitted")
        if quota is not None and not quota.true:
            return quota
        return admitted if admitted is not None and not admitted.true else None


@dataclass(frozen=True, slots=True)
class QueueState:
    """A LocalQueue, and the ClusterQueue that it leads to."""

    cluster_queue: str
    """Empty if there is no such LocalQueue."""
    inactive: str
    """Why one of them admits no jobs; empty if both are active or do not exist."""
    namespace: str = ""
    """The namespace of the job."""
    local_queues: tuple[tuple[str, str], ...] = ()
    """If there is no such LocalQueue: namespace and name of all LocalQueues."""

    @property
    def admits(self) -> bool:
        """Whether jobs are admitted from it."""
        return bool(self.cluster_queue) and not self.inactive


def queue_state(client: Client, namespace: str, name: str) -> QueueState:
    """The state of a LocalQueue."""
    found = _named(client.items(f"{API}/namespaces/{namespace}/localqueues"), name)
    cluster_queue = str(found["spec"].get("clusterQueue", "")) if found else ""
    leads_to = _named(client.items(f"{API}/clusterqueues"), cluster_queue)
    # The ClusterQueue first: a LocalQueue is inactive if its ClusterQueue is.
    listed = (each for each in (leads_to, found) if each)
    inactive = next(filter(None, map(_why_inactive, listed)), "")
    every = [] if found else [each["metadata"] for each in client.items(f"{API}/localqueues")]
    return QueueState(
        cluster_queue, inactive, namespace, tuple(sorted((each["namespace"], each["name"]) for each in every))
    )


def _named(things: Iterable[JsonObject], name: str) -> JsonObject | None:
    return next((each for each in things if each["metadata"]["name"] == name), None)


def _why_inactive(queue: JsonObject) -> str:
    conditions = queue.get("status", {}).get("conditions") or ()
    off = (each for each in conditions if each["type"] == "Active" and each["status"] == "False")
    return next((f"{queue['kind']} {queue['metadata']['name']}: {each.get('message', '')}" for each in off), "")


def workloads_in(client: Client, namespace: str) -> tuple[Workload, ...]:
    """All Workloads of a namespace."""
    return tuple(map(_workload, client.items(f"{API}/namespaces/{namespace}/workloads")))


def workloads_of(client: Client, namespace: str, owners: Collection[str]) -> tuple[Workload, ...]:
    """The Workloads that one of these objects owns.

    Args:
        client: of the control plane.
        namespace: the job's.
        owners: uids of the job and of its pods.
    """
    return tuple(each for each in workloads_in(client, namespace) if set(owners) & set(each.owners))


def _workload(seen: JsonObject) -> Workload:
    meta, status = seen["metadata"], seen.get("status") or {}
    admission = status.get("admission") or {}
    flavors = (
        flavor for pods in admission.get("podSetAssignments") or () for flavor in (pods.get("flavors") or {}).values()
    )
    return Workload(
        meta["name"],
        str(seen["spec"].get("queueName", "")),
        str(admission.get("clusterQueue", "")),
        tuple(sorted(set(flavors))),
        tuple(each["uid"] for each in meta.get("ownerReferences") or ()),
        {
            each["type"]: Condition(each["status"] == "True", each.get("reason", ""), each.get("message", ""))
            for each in status.get("conditions") or ()
        },
    )


def is_gated(spec: Mapping[str, Any]) -> bool:
    """Whether a pod waits for Kueue."""
    return any(each.get("name") == GATE for each in spec.get("schedulingGates") or ())
