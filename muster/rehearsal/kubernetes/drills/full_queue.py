"""Other jobs that use all of a queue's quota before the job is submitted."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from muster.kubernetes_quantity import Quantity
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.kueue import API
from muster.rehearsal.kubernetes.operators import KUEUE
from muster.rehearsal.kubernetes.workloads import Workload, queue_state, workloads_in

_NAME = "other-job"
_ACTIVE_SECONDS, _POLL_SECONDS = 3.0, 0.1
_KEPT_OUT_SECONDS, _CHECKED_SECONDS = 3.0, 10.0
"""Seconds without a change after which a Workload counts as never admitted: if Kueue gives a reason, and if it gives
none."""
_MOST_SECONDS = 30.0
_HIGHEST = 2**31 - 1
"""Their priority. A Workload without a job could not give its quota back, so nothing may preempt it."""
_PODS = "pods"
"""The resource that Kueue counts itself: a Workload must not request it."""


class FullQueue:
    """Workloads without pods that use the nominal quota of a ClusterQueue, until they are deleted."""

    def __init__(self, plane: ControlPlane, namespace: str, queue: str) -> None:
        """`queue`: the LocalQueue of the job."""
        self._plane, self._namespace, self._queue = plane, namespace, queue
        self._path = f"{API}/namespaces/{namespace}/workloads"
        self.refused = ""
        """Kueue's message if it did not admit them; they are then deleted."""

    def fill(self) -> str:
        """Creates them; returns the ClusterQueue once Kueue has decided about them. Empty if the queue admits no
        jobs."""
        client, name = self._plane.client, self._active_cluster_queue()
        if not name:
            return ""
        spec = client.get(f"{API}/clusterqueues/{name}")["spec"]
        flavors = {each["metadata"]["name"]: each for each in client.items(f"{API}/resourceflavors")}
        client.each(client.create, list(self._workloads(spec, flavors)))
        if left := self._not_admitted():
            decisions = (each.kept_out for each in left)
            self.refused = next(
                (each.message for each in decisions if each),
                "it reserved quota for them, but AdmissionChecks block them",
            )
            self.empty()
        return name

    def _active_cluster_queue(self) -> str:
        """The ClusterQueue of the LocalQueue, if it is active. It may become active a moment after its creation."""
        until = time.monotonic() + _ACTIVE_SECONDS
        while not (state := queue_state(self._plane.client, self._namespace, self._queue)).admits:
            if time.monotonic() > until:
                return ""
            self._plane.wait(_POLL_SECONDS)
        return state.cluster_queue

    def _not_admitted(self) -> tuple[Workload, ...]:
        """The Workloads that Kueue does not admit, once they have not changed for a while."""
        seen: tuple[Workload, ...] = ()
        began = since = time.monotonic()
        while left := tuple(each for each in self._there() if not each.admitted):
            if left != seen:
                seen, since = left, time.monotonic()
            wait = _KEPT_OUT_SECONDS if all(each.kept_out for each in left) else _CHECKED_SECONDS
            if time.monotonic() - since > wait or time.monotonic() - began > _MOST_SECONDS:
                return left
            self._plane.wait(_POLL_SECONDS)
        return ()

    def empty(self) -> None:
        """Deletes them, like jobs that end."""
        client = self._plane.client
        client.each(lambda each: client.delete(f"{self._path}/{each.name}"), self._there())
        self._plane.wait_until(lambda: not self._there(), "the other jobs' quota was not given back")

    def _there(self) -> list[Workload]:
        every = workloads_in(self._plane.client, self._namespace)
        return [each for each in every if each.name.startswith(f"{_NAME}-")]

    def _workloads(self, spec: JsonObject, flavors: dict[str, JsonObject]) -> Iterator[JsonObject]:
        """One for each flavor of each group of resources, which its labels choose."""
        groups = spec.get("resourceGroups") or ()
        # Each Workload has a pod, which Kueue counts if a group covers pods.
        elsewhere = sum(len(group["flavors"]) for group in groups if _PODS not in group["coveredResources"])
        for number, group in enumerate(groups):
            for quota in group["flavors"]:
                amounts = {each["name"]: each["nominalQuota"] for each in quota["resources"]}
                pods = amounts.pop(_PODS, None)
                counts = {"main": 1}
                if pods is not None:
                    left = Quantity.parse(pods).whole - elsewhere
                    elsewhere = max(0, -left)
                    counts = {"main": min(1, left), "pods": left - 1} if amounts else {"pods": left}
                labels = flavors.get(quota["name"], {}).get("spec", {}).get("nodeLabels") or {}
                sets = [
                    _pod_set(name, count, amounts if name == "main" else {}, labels)
                    for name, count in counts.items()
                    if count > 0
                ]
                if sets:
                    yield {
                        "apiVersion": KUEUE.api_version,
                        "kind": "Workload",
                        "metadata": {"name": f"{_NAME}-{number}-{quota['name']}", "namespace": self._namespace},
                        "spec": {"queueName": self._queue, "priority": _HIGHEST, "podSets": sets},
                    }


def _pod_set(name: str, count: int, requests: Mapping[str, Any], labels: Mapping[str, str]) -> JsonObject:
    """Pods of a Workload, each with these requests, on the nodes of a flavor."""
    spec = {
        "restartPolicy": "Never",
        "nodeSelector": labels,
        "tolerations": [{"operator": "Exists"}],
        "containers": [{"name": "c", "image": "c", "resources": {"requests": requests}}],
    }
    return {"name": name, "count": count, "template": {"spec": spec}}
