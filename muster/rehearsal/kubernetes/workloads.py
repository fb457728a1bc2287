"""Kueue's Workloads of a job: whether its quota is reserved, and why not."""

from collections.abc import Collection, Mapping
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


def cluster_queue_of(client: Client, namespace: str, name: str) -> str:
    """The ClusterQueue of a LocalQueue; empty if there is no such LocalQueue."""
    queues = client.items(f"{API}/namespaces/{namespace}/localqueues")
    return next((str(each["spec"].get("clusterQueue", "")) for each in queues if each["metadata"]["name"] == name), "")


def workloads_of(client: Client, namespace: str, owners: Collection[str]) -> tuple[Workload, ...]:
    """The Workloads that one of these objects owns.

    Args:
        client: of the control plane.
        namespace: the job's.
        owners: uids of the job and of its pods.
    """
    every = map(_workload, client.items(f"{API}/namespaces/{namespace}/workloads"))
    return tuple(each for each in every if set(owners) & set(each.owners))


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
