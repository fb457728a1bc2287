"""Device plugins and DRA drivers: a node offers its devices while the pod of their DaemonSet runs on it.

The devices of a plugin are in the node's status. Those of a DRA driver are in a ResourceSlice.

Nodes of one kind differ only in their name, so DaemonSets do the same on all of them. Their pods run on the first node
of each kind. The others offer the same devices, less the requests of these pods: two plugins on a thousand nodes would
be two thousand pods, which took three quarters of a rehearsal's time.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from muster.blueprint.labels import HOST_NAME
from muster.jobs.pod_requests import pod_requests
from muster.rehearsal.kubernetes.client import Client, JsonObject, NotFound
from muster.rehearsal.kubernetes.nodes import PlannedNode, left_over
from muster.rehearsal.kubernetes.pods import is_running, scheduler_message
from muster.rehearsal.kubernetes.resource_claims import delete_slices, resource_slice
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on

_REFUSED = 2.0
"""Seconds without a change after which a pod that is refused stays so: the scheduler retries within one second of a
change that may help it."""


FIRST = "muster/first-of-its-kind"
"""The label of the nodes on which DaemonSets run."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A DaemonSet, and what it serves."""

    namespace: str
    daemon_set: str
    serves: str = ""
    """``nvidia.com/gpu``, or the DeviceClass of a DRA driver: a key of `PlannedNode.devices`. Empty if it is no device
    plugin."""


@dataclass(slots=True)
class _Pods:
    """The nodes of a DaemonSet's pods."""

    running: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """Node -> the requests of the pod."""
    refused: set[str] = field(default_factory=set)
    """Those on which the scheduler refuses a pod. A pod that preempts others is not refused."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What DaemonSets do on each node of a kind."""

    serving: frozenset[str] = frozenset()
    taken: Mapping[str, int] = field(default_factory=dict)
    """The requests of their pods."""


def on_first_nodes(daemon_set: JsonObject) -> JsonObject:
    """A DaemonSet whose pods run only on the first node of each kind."""
    spec, template = daemon_set["spec"], daemon_set["spec"]["template"]
    pod = {**template["spec"], "nodeSelector": {**(template["spec"].get("nodeSelector") or {}), FIRST: ""}}
    return {**daemon_set, "spec": {**spec, "template": {**template, "spec": pod}}}


class Devices:
    """The devices that the nodes offer, as their plugins' pods come and go."""

    def __init__(self, client: Client, plugins: Iterable[Plugin]) -> None:
        """Sets what to follow.

        Args:
            client: the client of the control plane.
            plugins: the DaemonSets, which `on_first_nodes` has changed.
        """
        self._client = client
        self._nodes: dict[str, PlannedNode] = {}
        self._kind_of: dict[str, str] = {}
        """Node -> its kind."""
        self._first: dict[str, str] = {}
        """Kind -> its first node, which may be lost."""
        self._kinds: dict[str, _Kind] = {}
        self._plugins = {(each.namespace, each.daemon_set): each for each in plugins}
        self._pods: dict[tuple[str, str], _Pods] = {}
        self._changed = time.monotonic()
        self._reported: dict[str, tuple[dict[str, int], Mapping[str, int]]] = {}
        """Node -> the devices that its status and its slices have, and the requests that are subtracted."""
        self._generations: dict[str, int] = {}
        self._wanted: dict[tuple[str, str], tuple[int, frozenset[str]]] = {}
        """DaemonSet -> its generation, and the current nodes on which that generation should run."""

    @property
    def has_equal_nodes(self) -> bool:
        """Whether DaemonSets do not run on all nodes."""
        return len(self._first) < len(self._kind_of)

    def settled(self) -> bool:
        """Reads the plugins' pods and updates the nodes. Whether every plugin's pods run on all nodes of its DaemonSet,
        and the status of these nodes has the devices.

        A DaemonSet without nodes is settled, and so is one whose other pods the scheduler refused: that those serve no
        devices is a result of the rehearsal.
        """
        now = self._read()
        if now != self._pods:
            self._pods, self._changed = now, time.monotonic()
            self._kinds |= {
                kind: self._on(first) for kind, first in self._first.items() if self._kind_of.get(first) == kind
            }
        lull = time.monotonic() - self._changed
        changed = {
            name: offers for name in self._nodes if (offers := self._offers(name)) != self._reported.get(name, _NOTHING)
        }
        self._client.each(lambda name: self._report(self._nodes[name], *changed[name]), changed)
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

    def joined(self, nodes: Iterable[PlannedNode]) -> tuple[PlannedNode, ...]:
        """Adds nodes, or changes their labels and taints. Returns them with the labels that they need here."""
        new = {}
        for node in nodes:
            kind = self._kind_of[node.name] = _kind(node)
            is_first = self._first.setdefault(kind, node.name) == node.name
            new[node.name] = _labelled(node) if is_first else node
        self._nodes |= new
        self._wanted.clear()
        self._pods = {}
        return tuple(new.values())

    def left(self, names: Iterable[str]) -> None:
        """Removes nodes that have left: `settled` does not wait for them."""
        for name in names:
            self._reported.pop(name, None)
            self._kind_of.pop(name, None)
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
                    of_key.running[pod["spec"]["nodeName"]] = {**pod_requests(pod["spec"]), "pods": 1}
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
        missing = self._wanted[key][1] - pods.running.keys()
        if status["desiredNumberScheduled"] != len(pods.running) + len(pods.refused) or missing - pods.refused:
            return False
        return not pods.refused or lull > _REFUSED

    def _on(self, first: str) -> _Kind:
        """What the DaemonSets do on a node."""
        pods = {key: each.running[first] for key, each in self._pods.items() if first in each.running}
        taken: Counter[str] = Counter()
        for requests in pods.values():
            taken.update(requests)
        return _Kind(frozenset(self._plugins[key].serves for key in pods), taken)

    def _offers(self, node: str) -> tuple[dict[str, int], Mapping[str, int]]:
        """The devices that the node offers now, and what DaemonSets take from it without pods. A resource that it once
        offered stays with the number 0, because the kubelet keeps its name."""
        devices, kind = self._nodes[node].devices, self._kind_of[node]
        found = self._kinds.get(kind, _Kind())
        now = {name: number for each in devices if each in found.serving for name, number in devices[each].items()}
        before, _ = self._reported.get(node, _NOTHING)
        return {**dict.fromkeys(before, 0), **now}, {} if self._first[kind] == node else found.taken

    def _report(self, node: PlannedNode, offers: Mapping[str, int], taken: Mapping[str, int]) -> None:
        """Updates a node's status and its slices, unless it has left."""
        before, taken_before = self._reported.get(node.name, _NOTHING)
        resources = {name: str(number) for name, number in offers.items() if name not in node.published}
        if resources or taken != taken_before:
            has = {name: str(number) for each in node.devices.values() for name, number in each.items()}
            capacity = {name: has[name] for name in resources}
            left = left_over(node.manifest["status"]["allocatable"], taken)
            try:
                status = {"status": {"capacity": capacity, "allocatable": {**left, **resources}}}
                self._client.patch(f"/api/v1/nodes/{node.name}/status", status)
            except NotFound:
                return
        self._generations[node.name] = generation = self._generations.get(node.name, 0) + 1
        for name, devices in node.published.items():
            if name in offers and offers[name] != before.get(name, 0):
                self._client.apply(resource_slice(node.name, devices, offers[name], generation))
        self._reported[node.name] = dict(offers), taken


_NOTHING: tuple[dict[str, int], dict[str, int]] = {}, {}


def _labelled(node: PlannedNode) -> PlannedNode:
    metadata = node.manifest["metadata"]
    labels = {**metadata["labels"], FIRST: ""}
    return replace(node, manifest={**node.manifest, "metadata": {**metadata, "labels": labels}})


def _kind(node: PlannedNode) -> str:
    """All that DaemonSets and their scheduler can tell about a node, but for its name."""
    labels = {key: value for key, value in node.manifest["metadata"]["labels"].items() if key not in {HOST_NAME, FIRST}}
    status = node.manifest["status"]
    return json.dumps([node.group, labels, node.manifest["spec"]["taints"], status["allocatable"]], sort_keys=True)


def _owner(meta: JsonObject) -> str:
    return next((each["name"] for each in meta.get("ownerReferences", ()) if each["kind"] == "DaemonSet"), "")
