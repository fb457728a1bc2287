"""Device plugins and DRA drivers: a node offers its devices while the pod of their DaemonSet runs on it.

The devices of a plugin are in the node's status. Those of a DRA driver are in a ResourceSlice.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from muster.rehearsal.kubernetes.client import Client, JsonObject, NotFound
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.pods import is_running, scheduler_message
from muster.rehearsal.kubernetes.resource_claims import delete_slices, resource_slice
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on

_REFUSED = 2.0
"""Seconds without a change after which a pod that is refused stays so: the scheduler retries within one second of a
change that may help it."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A device plugin: a DaemonSet, and what it serves."""

    namespace: str
    daemon_set: str
    serves: str
    """``nvidia.com/gpu``, or the DeviceClass of a DRA driver: a key of `PlannedNode.devices`."""


@dataclass(slots=True)
class _Pods:
    """The nodes of a DaemonSet's pods."""

    running: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    """Those on which the scheduler refuses a pod. A pod that preempts others is not refused."""


class Devices:
    """The devices that the nodes offer, as their plugins' pods come and go."""

    def __init__(self, client: Client, nodes: Iterable[PlannedNode], plugins: Iterable[Plugin]) -> None:
        """Sets what to follow.

        Args:
            client: the client of the control plane.
            nodes: the nodes with their devices; other nodes offer none.
            plugins: the plugins, by DaemonSet.
        """
        self._client = client
        self._nodes: dict[str, PlannedNode] = {node.name: node for node in nodes}
        self._plugins = {(each.namespace, each.daemon_set): each for each in plugins}
        self._pods: dict[tuple[str, str], _Pods] = {}
        self._changed = time.monotonic()
        self._reported: dict[str, dict[str, int]] = {}
        """Node -> the resources that its status and its slices have."""
        self._generations: dict[str, int] = {}
        self._wanted: dict[tuple[str, str], tuple[int, frozenset[str]]] = {}
        """DaemonSet -> its generation, and the current nodes on which that generation should run."""

    def settled(self) -> bool:
        """Reads the plugins' pods and updates the nodes. Whether every plugin's pods run on all nodes of its DaemonSet,
        and the status of these nodes has the devices.

        A DaemonSet without nodes is settled, and so is one whose other pods the scheduler refused: that those serve no
        devices is a result of the rehearsal.
        """
        now = self._read()
        if now != self._pods:
            self._pods, self._changed = now, time.monotonic()
        lull = time.monotonic() - self._changed
        changed = {name: offers for name in self._nodes if (offers := self._offers(name)) != self._reported.get(name)}
        self._client.each(lambda name: self._report(self._nodes[name], changed[name]), changed)
        return not changed and all(self._is_settled(key, now.get(key, _Pods()), lull) for key in self._plugins)

    def unsettled(self) -> str:
        """The plugins without all their pods, with the controller's message on pods that it could not create."""
        found = []
        for namespace, name in self._plugins:
            status = self._daemon_set(namespace, name).get("status", {})
            running, desired = status.get("numberReady", 0), status.get("desiredNumberScheduled", 0)
            refusals = self._client.items(
                f"/api/v1/namespaces/{namespace}/events",
                fieldSelector=f"involvedObject.kind=DaemonSet,involvedObject.name={name},reason=FailedCreate",
            )
            if running != desired:
                why = next((f" ({each['message']})" for each in refusals), "")
                found.append(f"DaemonSet {namespace}/{name} has {running} of {desired} pods running{why}")
        return "; ".join(found)

    def joined(self, nodes: Iterable[PlannedNode]) -> None:
        """Adds nodes that have joined, with their devices."""
        self._nodes |= {node.name: node for node in nodes}
        self._wanted.clear()

    def left(self, names: Iterable[str]) -> None:
        """Removes nodes that have left: `settled` does not wait for them."""
        for name in names:
            self._reported.pop(name, None)
            if (node := self._nodes.pop(name, None)) is not None:
                delete_slices(self._client, name, (each.driver for each in node.published.values()))
        self._wanted.clear()

    def _read(self) -> dict[tuple[str, str], _Pods]:
        found: dict[tuple[str, str], _Pods] = {}
        for namespace in {namespace for namespace, _ in self._plugins}:
            for pod in self._client.items(f"/api/v1/namespaces/{namespace}/pods"):
                key = namespace, _owner(pod["metadata"])
                if key not in self._plugins:
                    continue
                of_key = found.setdefault(key, _Pods())
                if is_running(pod):
                    of_key.running.add(pod["spec"]["nodeName"])
                elif scheduler_message(pod) and not pod["status"].get("nominatedNodeName"):
                    of_key.refused.add(PodConstraints.of(pod["spec"]).node_name)
        return found

    def _daemon_set(self, namespace: str, name: str) -> JsonObject:
        return self._client.get(f"/apis/apps/v1/namespaces/{namespace}/daemonsets/{name}")

    def _is_settled(self, key: tuple[str, str], pods: _Pods, lull: float) -> bool:
        found = self._daemon_set(*key)
        status: JsonObject = found.get("status", {})
        generation = found["metadata"]["generation"]
        if status.get("observedGeneration") != generation or len(pods.running) != status.get("numberReady", 0):
            return False
        if self._wanted.get(key, (None,))[0] != generation:
            pod = PodConstraints.of_daemon_set(found["spec"]["template"]["spec"])
            nodes = (name for name, node in self._nodes.items() if may_be_on(pod, KubernetesNode.of(node.manifest)))
            self._wanted[key] = generation, frozenset(nodes)
        missing = self._wanted[key][1] - pods.running
        if status["desiredNumberScheduled"] != len(pods.running) + len(pods.refused) or missing - pods.refused:
            return False
        return not pods.refused or lull > _REFUSED

    def _offers(self, node: str) -> dict[str, int]:
        """The devices that the node offers now. A resource that it once offered stays with the number 0, because the
        kubelet keeps its name."""
        devices = self._nodes[node].devices
        serving = {self._plugins[key].serves for key, pods in self._pods.items() if node in pods.running}
        now = {name: number for each in devices if each in serving for name, number in devices[each].items()}
        return {**dict.fromkeys(self._reported.get(node, ()), 0), **now}

    def _report(self, node: PlannedNode, offers: Mapping[str, int]) -> None:
        """Updates a node's status and its slices, unless it has left."""
        before = self._reported.get(node.name, {})
        resources = {name: str(number) for name, number in offers.items() if name not in node.published}
        if resources:
            has = {name: str(number) for each in node.devices.values() for name, number in each.items()}
            capacity = {name: has[name] for name in resources}
            try:
                status = {"status": {"capacity": capacity, "allocatable": resources}}
                self._client.patch(f"/api/v1/nodes/{node.name}/status", status)
            except NotFound:
                return
        self._generations[node.name] = generation = self._generations.get(node.name, 0) + 1
        for name, devices in node.published.items():
            if name in offers and offers[name] != before.get(name, 0):
                self._client.apply(resource_slice(node.name, devices, offers[name], generation))
        self._reported[node.name] = dict(offers)


def _owner(meta: JsonObject) -> str:
    return next((each["name"] for each in meta.get("ownerReferences", ()) if each["kind"] == "DaemonSet"), "")
