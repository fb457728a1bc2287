"""Device plugins and DRA drivers: a node offers its devices while the pod of their DaemonSet runs on it.

The devices of a plugin are in the node's status. Those of a DRA driver are in a ResourceSlice.

Nodes of one kind differ only in their name, so DaemonSets do the same on all of them. Their pods run on the first node
of each kind. The others offer the same devices, less the requests of these pods: two plugins on a thousand nodes would
be two thousand pods, which took three quarters of a rehearsal's time.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from muster.blueprint.labels import HOST_NAME
from muster.jobs.pod_requests import pod_requests
from muster.rehearsal.kubernetes.client import Client, JsonObject, NotFound
from muster.rehearsal.kubernetes.nodes import PlannedNode, left_over
from muster.rehearsal.kubernetes.pods import is_running, scheduler_message
from muster.rehearsal.kubernetes.resource_claims import delete_slices, resource_slice
from muster.scheduling.constraints import PodConstraints, PodSpec
from muster.scheduling.fit import KubernetesNode, may_be_on

_REFUSED = 2.0
"""Seconds without a change after which a pod that is refused stays so: the scheduler retries within one second of a
change that may help it."""

FIRST = "muster/first-of-its-kind"
"""The label of the nodes on which DaemonSets run."""


@dataclass(frozen=True, slots=True, eq=False)
class Plugin:
    """A DaemonSet, and what it serves."""

    namespace: str
    daemon_set: str
    pod: PodSpec
    """The spec of its pods."""
    serves: str = ""
    """``nvidia.com/gpu``, or the DeviceClass of a DRA driver: a key of `PlannedNode.devices`. Empty if it is no device
    plugin."""


_Place = tuple[Plugin, str]
"""A DaemonSet, and the name of a node."""


@dataclass(slots=True, eq=False)
class _Kind:
    """What DaemonSets do on each node of a kind."""

    first: str
    """Its first node, which may be lost."""
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
        self._client, self._plugins = client, tuple(plugins)
        self._nodes: dict[str, PlannedNode] = {}
        self._kinds: dict[str, _Kind] = {}
        self._kind_of: dict[str, _Kind] = {}
        """By node."""
        self._wanted: frozenset[_Place] | None = None
        """Where pods should run; None until it is determined for the current nodes."""
        self._pods: dict[_Place, Mapping[str, int] | None] = {}
        """Where a pod is -> its requests; None if the scheduler refuses it."""
        self._changed = time.monotonic()
        self._reported: dict[str, tuple[dict[str, int], Mapping[str, int]]] = {}
        """Node -> the devices that its status and its slices have, and the requests that are subtracted."""
        self._generations = count(1)

    @property
    def has_equal_nodes(self) -> bool:
        """Whether DaemonSets do not run on all nodes."""
        return len({*self._kind_of.values()}) < len(self._kind_of)

    def settled(self) -> bool:
        """Reads the plugins' pods and updates the nodes. Whether every plugin has a pod on each first node that its
        DaemonSet allows, and the status of all nodes has the devices.

        A pod that the scheduler refuses counts too: that it serves no devices is a result of the rehearsal.
        """
        if self._wanted is None:
            self._wanted = frozenset(self._places())
        now = self._read()
        if now != self._pods:
            self._pods, self._changed = now, time.monotonic()
            for kind in self._living():
                pods = {each: taken for each in self._plugins if (taken := now.get((each, kind.first))) is not None}
                kind.serving, kind.taken = (
                    frozenset(each.serves for each in pods),
                    sum(map(Counter, pods.values()), Counter()),
                )
        changed = {
            name: offers for name in self._nodes if (offers := self._offers(name)) != self._reported.get(name, _NOTHING)
        }
        self._client.each(lambda name: self._report(self._nodes[name], *changed[name]), changed)
        if changed or not self._wanted <= now.keys():
            return False
        return None not in now.values() or time.monotonic() - self._changed > _REFUSED

    def unsettled(self) -> str:
        """The plugins without all their pods, with the controller's message on pods that it could not create."""
        found = []
        for each in self._plugins:
            wanted = [place for place in self._wanted or () if place[0] is each]
            running = sum(self._pods.get(place) is not None for place in wanted)
            if running == len(wanted):
                continue
            refusals = self._client.items(
                f"/api/v1/namespaces/{each.namespace}/events",
                fieldSelector=f"involvedObject.kind=DaemonSet,involvedObject.name={each.daemon_set},reason=FailedCreate",
            )
            why = next((f" ({event['message']})" for event in refusals), "")
            found.append(
                f"DaemonSet {each.namespace}/{each.daemon_set} has {running} of {len(wanted)} pods running{why}"
            )
        return "; ".join(found)

    def joined(self, nodes: Iterable[PlannedNode]) -> tuple[PlannedNode, ...]:
        """Adds nodes, or changes their labels and taints. Returns them with the labels that they need here."""
        new = {}
        for node in nodes:
            kind = self._kind_of[node.name] = self._kinds.setdefault(_kind(node), _Kind(node.name))
            new[node.name] = _labelled(node) if kind.first == node.name else node
        self._nodes |= new
        self._wanted, self._pods = None, {}
        return tuple(new.values())

    def left(self, names: Iterable[str]) -> None:
        """Removes nodes that have left: `settled` does not wait for them."""
        for name in names:
            self._reported.pop(name, None)
            self._kind_of.pop(name, None)
            if (node := self._nodes.pop(name, None)) is not None:
                delete_slices(self._client, name, (each.driver for each in node.published.values()))
        self._wanted = None

    def _living(self) -> Iterator[_Kind]:
        """The kinds whose first node is there, and still of this kind."""
        return (kind for kind in self._kinds.values() if self._kind_of.get(kind.first) is kind)

    def _places(self) -> Iterator[_Place]:
        pods = [(each, PodConstraints.of_daemon_set(each.pod)) for each in self._plugins]
        for first in (kind.first for kind in self._living()):
            node = KubernetesNode.of(self._nodes[first].manifest)
            yield from ((each, first) for each, pod in pods if may_be_on(pod, node))

    def _read(self) -> dict[_Place, Mapping[str, int] | None]:
        found: dict[_Place, Mapping[str, int] | None] = {}
        plugins = {(each.namespace, each.daemon_set): each for each in self._plugins}
        for namespace in {each.namespace for each in self._plugins}:
            for pod in self._client.items(f"/api/v1/namespaces/{namespace}/pods"):
                if (plugin := plugins.get((namespace, daemon_set_of(pod)))) is None:
                    continue
                if is_running(pod):
                    found[plugin, pod["spec"]["nodeName"]] = {**pod_requests(pod["spec"]), "pods": 1}
                elif scheduler_message(pod) and not pod["status"].get("nominatedNodeName"):  # it preempts no others
                    found.setdefault((plugin, PodConstraints.of(pod["spec"]).node_name), None)
        return found

    def _offers(self, node: str) -> tuple[dict[str, int], Mapping[str, int]]:
        """The devices that the node offers now, and what DaemonSets take from it without pods. A resource that it once
        offered stays with the number 0, because the kubelet keeps its name."""
        devices, kind = self._nodes[node].devices, self._kind_of[node]
        now = {name: number for each in devices if each in kind.serving for name, number in devices[each].items()}
        before, _ = self._reported.get(node, _NOTHING)
        return {**dict.fromkeys(before, 0), **now}, {} if kind.first == node else kind.taken

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
        for name, devices in node.published.items():
            if name in offers and offers[name] != before.get(name, 0):
                self._client.apply(resource_slice(node.name, devices, offers[name], next(self._generations)))
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


def daemon_set_of(pod: JsonObject) -> str:
    """The name of the DaemonSet that a pod belongs to; empty if there is none."""
    owners = pod["metadata"].get("ownerReferences", ())
    return next((each["name"] for each in owners if each["kind"] == "DaemonSet"), "")
