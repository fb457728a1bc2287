"""Other jobs that have all of a queue's quota before the job is sent."""

import time
from collections.abc import Iterator

from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.workloads import queue_state, workloads_in

_API = "/apis/kueue.x-k8s.io/v1beta2"
_NAME = "other-job"
_ACTIVE_SECONDS, _POLL_SECONDS = 3.0, 0.1
_HIGHEST = 2**31 - 1
"""Their priority: nothing preempts a Workload that has no job, which would have to give its quota back."""


class FullQueue:
    """Workloads without pods that have the nominal quota of a ClusterQueue, until they are deleted."""

    def __init__(self, plane: ControlPlane, namespace: str, queue: str) -> None:
        """`queue`: the LocalQueue of the job."""
        self._plane, self._namespace, self._queue = plane, namespace, queue
        self._path = f"{_API}/namespaces/{namespace}/workloads"

    def fill(self) -> str:
        """Creates them; returns the ClusterQueue once Kueue has admitted them. Empty where it admits no job.

        Raises:
            RehearsalError: it does not admit them.
        """
        client, name = self._plane.client, self._active_cluster_queue()
        if not name:
            return ""
        spec = client.get(f"{_API}/clusterqueues/{name}")["spec"]
        flavors = {each["metadata"]["name"]: each for each in client.items(f"{_API}/resourceflavors")}
        made = list(self._workloads(spec, flavors))
        client.each(client.create, made)
        names = {each["metadata"]["name"] for each in made}
        self._plane.wait_until(lambda: self._admitted(names), "Kueue did not admit the other jobs to an idle queue")
        return name

    def _active_cluster_queue(self) -> str:
        """The ClusterQueue of the LocalQueue, where it is active; it may be so a moment after Kueue has seen it."""
        until = time.monotonic() + _ACTIVE_SECONDS
        while not (state := queue_state(self._plane.client, self._namespace, self._queue)).admits:
            if time.monotonic() > until:
                return ""
            self._plane.wait(_POLL_SECONDS)
        return state.cluster_queue

    def empty(self) -> None:
        """Deletes them, as jobs that end."""
        client = self._plane.client
        client.each(lambda name: client.delete(f"{self._path}/{name}"), self._names())
        self._plane.wait_until(lambda: not self._names(), "the other jobs' quota was not given back")

    def _names(self) -> list[str]:
        there = workloads_in(self._plane.client, self._namespace)
        return [each.name for each in there if each.name.startswith(f"{_NAME}-")]

    def _admitted(self, names: set[str]) -> bool:
        there = workloads_in(self._plane.client, self._namespace)
        return names <= {each.name for each in there if each.admitted}

    def _workloads(self, spec: JsonObject, flavors: dict[str, JsonObject]) -> Iterator[JsonObject]:
        """One for each flavor of each group of resources, which its labels choose."""
        for number, group in enumerate(spec.get("resourceGroups") or ()):
            for quota in group["flavors"]:
                requests = {each["name"]: each["nominalQuota"] for each in quota["resources"]}
                labels = flavors.get(quota["name"], {}).get("spec", {}).get("nodeLabels") or {}
                pod = {
                    "restartPolicy": "Never",
                    "nodeSelector": labels,
                    "tolerations": [{"operator": "Exists"}],
                    "containers": [{"name": "c", "image": "c", "resources": {"requests": requests}}],
                }
                yield {
                    "apiVersion": "kueue.x-k8s.io/v1beta2",
                    "kind": "Workload",
                    "metadata": {"name": f"{_NAME}-{number}-{quota['name']}", "namespace": self._namespace},
                    "spec": {
                        "queueName": self._queue,
                        "priority": _HIGHEST,
                        "podSets": [{"name": "main", "count": 1, "template": {"spec": pod}}],
                    },
                }
