"""Device plugins and DRA drivers: a node offers its devices while the pod of their DaemonSet runs on it.

The devices of a plugin are in the node's status. Those of a DRA driver are in a ResourceSlice.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, Self

from muster.rehearsal.kubernetes.background_threads import BackgroundThreads
from muster.rehearsal.kubernetes.client import WORKERS, Client, Event, JsonObject, NotFound
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.pod_lifecycle import is_running, scheduler_message
from muster.rehearsal.kubernetes.resource_slices import delete_slices, resource_slice
from muster.rehearsal.machine_limits import RehearsalError
from muster.scheduling.constraints import PodConstraints, PodSpec
from muster.scheduling.fit import may_be_on
from muster.scheduling.node import KubernetesNode


def nodes_of_daemon_set(pod_spec: PodSpec, nodes: Iterable[PlannedNode]) -> frozenset[str]:
    """The names of the nodes on which the DaemonSet controller wants pods of this spec."""
    pods = PodConstraints.of_daemon_set(pod_spec)
    return frozenset(node.name for node in nodes if may_be_on(pods, KubernetesNode.of(node.manifest)))


_LULL = 0.5
"""Seconds without a change anywhere until a node offers the devices of some plugins without waiting for the others."""
_LATEST = 10.0
"""Seconds after which it offers them in any case."""
_REFUSED = 2.0
"""Seconds after which a pod that is still refused stays so: the scheduler retries within one second of a change that
may help it."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A device plugin: a DaemonSet, and what it serves."""

    namespace: str
    daemon_set: str
    serves: str
    """``nvidia.com/gpu``, or the DeviceClass of a DRA driver: a key of `PlannedNode.devices`."""


@dataclass(slots=True)
class _State:
    """The known state of one node."""

    pods: dict[str, set[str]] = field(default_factory=dict)
    """Resource -> the uids of the pods that serve it on this node."""
    broken_devices: dict[str, int] = field(default_factory=dict)
    """Resource -> the number of its broken devices."""
    reported: dict[str, int] = field(default_factory=dict)
    """Resource -> the amount in the node's status, or the number of devices in its slice."""
    generation: int = 0
    """The generation of its pools of devices."""


@dataclass(frozen=True, slots=True)
class _Refused:
    """The nodes on which the scheduler refuses pods of a DaemonSet."""

    time: float = 0.0
    """The time of the last query."""
    found: frozenset[str] = frozenset()
    still: frozenset[str] = frozenset()
    """The nodes that the query before also found."""


class Devices:
    """Watches the plugins' pods and updates the status of their nodes, for the duration of a `with` block."""

    def __init__(self, client: Client, nodes: Iterable[PlannedNode], plugins: Iterable[Plugin]) -> None:
        """Sets what to watch.

        Args:
            client: the client of the control plane.
            nodes: the nodes with their devices; other nodes offer none.
            plugins: the plugins, by DaemonSet.
        """
        self._client = client
        self._there: dict[str, PlannedNode] = {node.name: node for node in nodes}
        self._has: Mapping[str, Mapping[str, Mapping[str, int]]] = {
            name: node.devices for name, node in self._there.items()
        }
        self._wanted: dict[tuple[str, str], tuple[int, frozenset[str]]] = {}
        """DaemonSet -> its generation, and the current nodes on which that generation should run."""
        self._refused: dict[tuple[str, str], _Refused] = {}
        """DaemonSet -> the nodes on which the scheduler refuses its pods."""
        self._plugins = {(each.namespace, each.daemon_set): each for each in plugins}
        self._state: dict[str, _State] = {}
        self._served = {each.serves for each in self._plugins.values()}
        self._changed: dict[str, None] = {}
        self._partly: dict[str, float] = {}
        """Changed nodes on which some of their plugins do not run yet -> since when."""
        self._latest = 0.0
        """The time of the last change of any node."""
        self._reporting: set[str] = set()
        self._seen: dict[tuple[str, str], dict[str, str]] = {}
        """DaemonSet -> its pods that run (uid), and the node of each."""
        self._changes = threading.Condition()
        self._threads = BackgroundThreads("the rehearsal cannot watch the device plugins any longer")

    def __enter__(self) -> Self:
        namespaces = {namespace for namespace, _ in self._plugins}
        self._threads.start(
            *(partial(self._follow, each) for each in namespaces), *(self._report for _ in range(WORKERS))
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changes:
            self._threads.end()
            self._changes.notify_all()

    def settled(self) -> bool:
        """Whether every plugin's pods run on all nodes of its DaemonSet, and the status of these nodes has the devices.

        A DaemonSet without nodes is settled, and so is one whose other pods the scheduler refused: that those serve no
        devices is a result of the rehearsal.

        Raises:
            RehearsalError: the loop broke.
        """
        self._threads.check()
        with self._changes:
            running = {key: list(pods.values()) for key, pods in self._seen.items()}
            there, quiet = tuple(self._there.values()), self._quiet
        return quiet and all(self._as_wanted(key, there, running.get(key, [])) for key in self._plugins)

    def unsettled(self) -> str:
        """The plugins without all their pods, with the controller's message on pods that it could not create."""
        with self._changes:
            running = {key: len(pods) for key, pods in self._seen.items()}
        return "; ".join(each for key in self._plugins for each in self._wanting(key, running.get(key, 0)))

    def _wanting(self, key: tuple[str, str], running: int) -> Iterator[str]:
        namespace, name = key
        status: JsonObject = self._client.get(f"/apis/apps/v1/namespaces/{namespace}/daemonsets/{name}").get(
            "status", {}
        )
        made, desired = status.get("currentNumberScheduled", 0), status.get("desiredNumberScheduled", 0)
        if running == desired:
            return
        reported = f"DaemonSet {namespace}/{name} has {running} of {desired} pods running, {made} made"
        refusals = self._client.items(
            f"/api/v1/namespaces/{namespace}/events",
            fieldSelector=f"involvedObject.kind=DaemonSet,involvedObject.name={name},reason=FailedCreate",
        )
        yield next((f"{reported} ({each['message']})" for each in refusals), reported)

    @property
    def _quiet(self) -> bool:
        """Whether the status of every node is up to date."""
        return not (self._changed or self._partly or self._reporting)

    def _as_wanted(self, key: tuple[str, str], there: tuple[PlannedNode, ...], running: list[str]) -> bool:
        found = self._client.get(f"/apis/apps/v1/namespaces/{key[0]}/daemonsets/{key[1]}")
        status: JsonObject = found.get("status", {})
        if status.get("observedGeneration") != found["metadata"]["generation"]:
            return False
        # The cheap check comes first: while pods start, this is called all the time.
        if len(running) != status.get("numberReady", 0):
            return False
        broken_devices = self._wants(key, found, there) - set(running)
        desired: int = status["desiredNumberScheduled"]
        if not broken_devices and desired == len(running):
            return True
        refused = self._refused_on(key)
        return broken_devices <= refused and desired == len(running) + len(refused)

    def _wants(self, key: tuple[str, str], daemon_set: JsonObject, there: tuple[PlannedNode, ...]) -> frozenset[str]:
        generation = daemon_set["metadata"]["generation"]
        known = self._wanted.get(key)
        if known is None or known[0] != generation:
            known = self._wanted[key] = generation, nodes_of_daemon_set(daemon_set["spec"]["template"]["spec"], there)
        return known[1]

    def _refused_on(self, key: tuple[str, str]) -> frozenset[str]:
        """The nodes on which the scheduler refuses the DaemonSet's pods, now and at the last query.

        A pod that preempts others is not refused.
        """
        known = self._refused.get(key, _Refused())
        now = time.monotonic()
        if now < max(known.time, self._latest) + _REFUSED:
            return known.still if known.time > self._latest else frozenset()
        path = f"/api/v1/namespaces/{key[0]}/pods"
        found = frozenset(
            PodConstraints.of(pod["spec"]).node_name
            for pod in self._client.items(path, fieldSelector="status.phase=Pending,spec.nodeName=")
            if _owner(pod["metadata"]) == key[1]
            and scheduler_message(pod)
            and not pod["status"].get("nominatedNodeName")
        )
        self._refused[key] = _Refused(now, found, found & known.found)
        return self._refused[key].still

    def degrade(self, node: str, resource: str, broken: int) -> None:
        """Sets the number of a node's unhealthy devices (0: none), as a plugin reports them to the kubelet.

        If one plugin serves devices and parts of devices, such as Neuron cores, the parts of a broken device are also
        unhealthy.

        Raises:
            RehearsalError: no plugin that serves them runs there.
        """
        with self._changes:
            if not any(self._of(node).pods.get(served) for served in self._servers(node, resource)):
                raise RehearsalError(f"{node} offers no {resource}, so none of them can fail")
            self._of(node).broken_devices[resource] = broken
            self._note(node)

    def _servers(self, node: str, resource: str) -> tuple[str, ...]:
        return tuple(served for served, devices in self._has.get(node, {}).items() if resource in devices)

    def joined(self, nodes: Iterable[PlannedNode]) -> None:
        """Adds nodes that have joined, with their devices."""
        with self._changes:
            for node in nodes:
                self._there[node.name] = node
            self._has = {**self._has, **{name: node.devices for name, node in self._there.items()}}
            self._forget()

    def left(self, names: Iterable[str]) -> None:
        """Removes nodes that have left: `settled` does not wait for them."""
        with self._changes:
            gone = [node for name in names if (node := self._there.pop(name, None)) is not None]
            self._forget()
        for node in gone:
            delete_slices(self._client, node.name, (each.driver for each in node.published.values()))

    def _forget(self) -> None:
        self._wanted.clear()
        self._refused.clear()

    # Pods.

    def _follow(self, namespace: str) -> None:
        # Only running pods, so that a pod that starts causes one event instead of three.
        running = "status.phase=Running"
        for event in self._client.follow(f"/api/v1/namespaces/{namespace}/pods", fieldSelector=running):
            if self._threads.over:
                return
            with self._changes:
                self._take(namespace, event)

    def _take(self, namespace: str, event: Event) -> None:
        if event.type != "SYNCED":
            self._place(event.object, running=event.type != "DELETED" and is_running(event.object))
            return
        for name, state in self._state.items():  # the pods that were deleted while no watch ran
            for key, plugin in self._plugins.items():
                if key[0] == namespace:
                    state.pods.pop(plugin.serves, None)
                    self._seen[key] = {}
            self._note(name)
        for pod in event.object["items"]:
            self._place(pod, running=is_running(pod))

    def _place(self, pod: JsonObject, *, running: bool) -> None:
        meta, node = pod["metadata"], pod["spec"].get("nodeName")
        key = meta["namespace"], _owner(meta)
        plugin = self._plugins.get(key)
        if plugin is None or node is None:
            return
        here = self._of(node).pods.setdefault(plugin.serves, set())
        everywhere = self._seen.setdefault(key, {})
        before = bool(here)
        if running:
            here.add(meta["uid"])
            everywhere[meta["uid"]] = node
        else:
            here.discard(meta["uid"])
            everywhere.pop(meta["uid"], None)
        if bool(here) != before:
            self._note(node)

    def _of(self, node: str) -> _State:
        return self._state.setdefault(node, _State())

    def _note(self, node: str) -> None:
        self._latest = time.monotonic()
        pods, serves = self._of(node).pods, self._served.intersection(self._has.get(node, ()))
        if all(pods.get(each) for each in serves):
            self._partly.pop(node, None)
            self._changed[node] = None
        else:
            self._partly.setdefault(node, self._latest)
        self._changes.notify()

    # The status of nodes.

    def _report(self) -> None:
        while (node := self._next()) is not None:
            with self._changes:
                state = self._of(node)
                offers = self._offers(node, state)
                unchanged = offers == state.reported
            reported = offers if unchanged or self._publish(node, state, offers) else {}
            with self._changes:
                state.reported = reported
                self._reporting.discard(node)
                self._changes.notify_all()

    def _next(self) -> str | None:
        """A changed node that no other thread is updating. Waits until there is one; None after the end."""
        with self._changes:
            while not self._threads.over:
                rest = self._ripen()
                node = next((each for each in self._changed if each not in self._reporting), None)
                if node is not None:
                    del self._changed[node]
                    self._reporting.add(node)
                    return node
                self._changes.wait(rest)
        return None

    def _ripen(self) -> float | None:
        """Counts the partly served nodes as changed after their delay. Returns the remaining delay; None if there is
        none."""
        if not self._partly:
            return None
        due = min(self._latest + _LULL, next(iter(self._partly.values())) + _LATEST)
        rest = due - time.monotonic()
        if rest > 0:
            return rest
        self._changed |= dict.fromkeys(self._partly)
        self._partly.clear()
        return None

    def _offers(self, node: str, state: _State) -> dict[str, int]:
        """The devices that the node offers now. A resource that it once offered stays with the number 0, because the
        kubelet keeps its name."""
        now = {
            resource: max(
                0, number - max(state.broken_devices.get(resource, 0), _with(state, served, devices, resource))
            )
            for served, devices in self._has.get(node, {}).items()
            if state.pods.get(served)
            for resource, number in devices.items()
        }
        return {**dict.fromkeys(state.reported, 0), **now}

    def _publish(self, node: str, state: _State, offers: Mapping[str, int]) -> bool:
        """Updates the node's status and its slices. False if the node has left."""
        with self._changes:
            planned = self._there.get(node)
        published = planned.published if planned else {}
        resources = {resource: number for resource, number in offers.items() if resource not in published}
        if resources and not self._patch(node, resources):
            return False
        state.generation += 1
        for name, devices in published.items():
            if name in offers and offers[name] != state.reported.get(name, 0):
                self._client.apply(resource_slice(node, devices, offers[name], state.generation))
        return True

    def _patch(self, node: str, offers: Mapping[str, int]) -> bool:
        """Sets the node's capacity to its existing devices, and allocatable to the working ones. False if the node has
        left."""
        has = {resource: number for devices in self._has[node].values() for resource, number in devices.items()}
        status: dict[str, Any] = {
            "capacity": {resource: str(has[resource]) for resource in offers},
            "allocatable": {resource: str(number) for resource, number in offers.items()},
        }
        try:
            self._client.patch(f"/api/v1/nodes/{node}/status", {"status": status})
        except NotFound:
            return False
        return True


def _with(state: _State, served: str, devices: Mapping[str, int], resource: str) -> int:
    """How many of a resource are parts of broken devices."""
    return state.broken_devices.get(served, 0) * devices[resource] // devices[served] if devices.get(served) else 0


def _owner(meta: JsonObject) -> str:
    return next((each["name"] for each in meta.get("ownerReferences", ()) if each["kind"] == "DaemonSet"), "")
