"""A planned cluster on a control plane: its nodes have joined, its add-ons run, its devices are offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from muster.addons.daemon_sets import COREDNS, DAEMONS, used_of
from muster.blueprint.cluster import Blueprint
from muster.blueprint.dra import published_devices
from muster.blueprint.labels import INSTANCE_TYPE
from muster.hardware.ami import plugin_in_image
from muster.jobs.pod_requests import pod_requests
from muster.kubernetes_quantity import Quantity, base_units
from muster.rehearsal.kubernetes import hyperpod as health
from muster.rehearsal.kubernetes import nodes as planning
from muster.rehearsal.kubernetes.addons import InstalledAddons
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.kubernetes.control_plane import DEFAULT_QUEUE, ControlPlane
from muster.rehearsal.kubernetes.devices import FIRST, Devices, daemon_set_of
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.pods import is_running, scheduler_message
from muster.rehearsal.kubernetes.resource_claims import SLICES, VERSION, allocated_devices
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Amount, SimulatedPart
from muster.scheduling.taints import taints_of

_TIMEOUT_SECONDS = 60.0
_TIMEOUT_SECONDS_A_NODE = 0.25
"""Seconds until every plugin must run on all its nodes: some machines are slow."""


class PlannedCluster:
    """The nodes and add-ons of a blueprint, on a control plane."""

    def __init__(
        self,
        plane: ControlPlane,
        blueprint: Blueprint,
        installed: InstalledAddons | None = None,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Sets what to build. HyperPod's deep health checks run on nodes whose group has them until `end_checks`.

        Args:
            plane: the control plane, which must be running.
            blueprint: the cluster.
            installed: its add-ons; if None, those of the blueprint, simulated.
            counts: group -> nodes, if it is not the number that the group starts with.
        """
        self._plane, self._client, self.blueprint = plane, plane.client, blueprint
        planned = planning.planned_nodes(blueprint, counts)
        self.nodes: tuple[PlannedNode, ...] = tuple(map(_joining, planned))
        self.installed = installed or InstalledAddons.of(blueprint)
        self._lost: dict[str, PlannedNode] = {}

    def join(self) -> None:
        """Creates the nodes and the add-ons; returns once the devices are offered.

        Raises:
            RehearsalError: the version of Kubernetes has no DRA, or the plugins do not settle.
        """
        if any(node.published for node in self.nodes) and not self._has_claims:
            raise RehearsalError(
                f"the DRA drivers of the stack need {VERSION}, which Kubernetes {self._plane.version} does not serve; "
                "set kubernetes to 1.34 or later, or use the device plugins"
            )
        self._devices = Devices(self._client, self.installed.plugins)
        self._create_nodes(self.nodes)
        if self._has_dns:
            self._client.apply(COREDNS.manifest)
        self.installed.apply(self._plane)
        self._settle()

    def _create_nodes(self, nodes: Iterable[PlannedNode]) -> None:
        planning.create_nodes(self._client, self._devices.joined(nodes))
        if self._plane.schedulers:
            planning.register_csi_drivers(self._client, nodes, self.installed.csi_drivers)

    @property
    def timeout(self) -> float:
        """Seconds until something that does not settle is an error."""
        return _TIMEOUT_SECONDS + _TIMEOUT_SECONDS_A_NODE * len(self.nodes)

    def _settle(self) -> None:
        devices, what = self._devices, "the device plugins did not settle"
        self._plane.wait_until(devices.settled, what, self.timeout, why=devices.unsettled)
        self._plane.wait_until(self._placed, "the scheduler neither placed nor refused the add-ons' pods", self.timeout)
        if self._plane.schedulers:
            self._plane.wait_for_queue(DEFAULT_QUEUE)

    def _placed(self) -> bool:
        """Whether the pods of every Deployment exist, and the scheduler has placed or refused each."""
        if not all(map(_made, self._client.items("/apis/apps/v1/deployments"))):
            return False
        return all(map(scheduler_message, self._client.items("/api/v1/pods", fieldSelector="spec.nodeName=")))

    # Nodes and pods.

    def live(self) -> tuple[LiveNode, ...]:
        """Every existing node in its current state, with what its pods use. It offers what DaemonSets leave of it."""
        used: dict[str, Counter[str]] = {}
        taken: dict[str, Counter[str]] = {}
        for pod in self._client.items("/api/v1/pods"):
            if (name := pod["spec"].get("nodeName")) and pod["status"].get("phase") not in {"Succeeded", "Failed"}:
                by = taken if daemon_set_of(pod) else used
                by.setdefault(name, Counter()).update({**pod_requests(pod["spec"]), "pods": 1})
        published: dict[str, dict[str, int]] = {}
        if self._has_claims:
            published = published_devices(self._client.items(SLICES))
            for name, devices in allocated_devices(self._client).items():
                used.setdefault(name, Counter()).update(devices)
        there = {each["metadata"]["name"]: each for each in self._client.items("/api/v1/nodes")}
        return tuple(
            live_node(
                node,
                there[node.name],
                used.get(node.name, {}),
                published.get(node.name, {}),
                taken.get(node.name, {}),
            )
            for node in self.nodes
            if node.name in there
        )

    def scene(self) -> ClusterSnapshot:
        """The nodes, those that groups without any could have, and the plugins that serve their devices."""
        there = {node.group for node in self.nodes}
        absent = self.empty_nodes(group.name for group in self.blueprint.groups if group.name not in there)
        return ClusterSnapshot(
            self.blueprint,
            self.live(),
            tuple(absent.values()),
            tuple(live_node(node, node.manifest) for node in self._lost.values()),
            self.installed.servers,
        )

    @property
    def _has_claims(self) -> bool:
        """Whether a node's devices are in ResourceSlices."""
        return any(node.published for node in self.nodes) and self._client.knows(VERSION, "ResourceSlice")

    def by_group(self) -> Mapping[str, int]:
        """Group -> the number of its nodes."""
        return Counter(node.group for node in self.nodes)

    @property
    def simulated_parts(self) -> Iterator[SimulatedPart]:
        """The simulated parts."""
        daemons, why = ", ".join(each.name for each in DAEMONS), "EKS runs them on every node"
        yield SimulatedPart(daemons, "their requests are subtracted from each node", why)
        if self._devices.has_equal_nodes:
            yield SimulatedPart(
                "DaemonSets of add-ons",
                "their pods run on the first of equal nodes, and their requests are subtracted from the others",
                "they do the same on nodes that differ only in their name",
            )
        for group in self.blueprint.groups:
            family, auto = group.described.family, group.described.by_auto_mode
            for resource in plugin_in_image(family, frozenset(group.node.offers), of_auto_mode=auto):
                what, why = f"{resource} of '{group.name}'", f"{family.value} contains its plugin"
                yield SimulatedPart(what, "offered when the node joins", why)
        yield from self.installed.simulated_parts
        for name in dict.fromkeys(name for node in self.nodes for name in node.published):
            why = "rehearsals run no DRA driver"
            yield SimulatedPart(f"ResourceSlices of {name}", "devices with the attributes that sources state", why)

    @property
    def _has_dns(self) -> bool:
        """Whether the blueprint installs CoreDNS. An existing cluster already runs it, on nodes that Muster does not
        know, so the rehearsal assumes that it runs."""
        return any(each.name == COREDNS.name for each in self.blueprint.eks_addons)

    def dns_waits(self) -> tuple[str, JsonObject] | None:
        """The same as `deployment_waits`, for CoreDNS; None if the blueprint does not install it."""
        return self.deployment_waits(COREDNS.manifest) if self._has_dns else None

    def deployment_waits(self, deployment: JsonObject) -> tuple[str, JsonObject] | None:
        """The scheduler's message on a Deployment none of whose pods runs, and the spec of such a pod; None if one
        runs.

        Raises:
            RehearsalError: its pods neither ran nor were refused.
        """
        namespace, name = deployment["metadata"]["namespace"], deployment["metadata"]["name"]
        labels = deployment["spec"]["selector"]["matchLabels"]
        selector = ",".join(f"{key}={value}" for key, value in labels.items())
        pods: list[JsonObject] = []

        def known() -> bool:
            pods[:] = self._client.items(f"/api/v1/namespaces/{namespace}/pods", labelSelector=selector)
            return any(map(is_running, pods)) or (bool(pods) and all(map(scheduler_message, pods)))

        self._plane.wait_until(known, f"the pods of {name} neither started nor were refused")
        return None if any(map(is_running, pods)) else (scheduler_message(pods[0]), pods[0]["spec"])

    # Changes of the cluster.

    def remove_nodes(self, names: Iterable[str]) -> None:
        """Removes nodes permanently."""
        lost = {node.name: node for node in self.nodes if node.name in set(names)}
        self._lost = {**self._lost, **lost}
        self.nodes = tuple(node for node in self.nodes if node.name not in lost)
        self._devices.left(lost)
        self._client.each(lambda name: planning.delete_node(self._client, name), lost)

    def replace(self) -> tuple[PlannedNode, ...]:
        """Replaces lost nodes with new ones in their zones, as Auto Scaling does; returns these.

        Raises:
            RehearsalError: they do not offer their devices in time.
        """
        lost, self._lost = tuple(self._lost.values()), {}
        return self._join([(node.group, node.zone) for node in lost], lost)

    def _join(self, wanted: Iterable[tuple[str, str]], lost: tuple[PlannedNode, ...] = ()) -> tuple[PlannedNode, ...]:
        """Adds nodes of these groups, each in its zone; no node gets the name of one that is there or lost."""
        new: list[PlannedNode] = []
        for group, zone in wanted:
            every = (*self.nodes, *lost, *new)
            new.append(_joining(planning.additional_node(self.blueprint, every, group, zone)))
        self.nodes = (*self.nodes, *new)
        self._create_nodes(new)
        self._settle()
        return tuple(new)

    def empty_nodes(self, groups: Iterable[str]) -> Mapping[str, LiveNode]:
        """Group -> a node of it as it would join, without pods."""
        made = planning.planned_nodes(
            self.blueprint, {each.name: 0 for each in self.blueprint.groups} | dict.fromkeys(groups, 1)
        )
        return {node.group: live_node(node, node.manifest) for node in map(_with_daemons, made)}

    def add_nodes(self, groups: Iterable[str]) -> tuple[PlannedNode, ...]:
        """Adds a node of each of these groups, in their zones in turn; returns the nodes.

        Raises:
            RehearsalError: they do not offer their devices in time.
        """
        there, wanted = Counter(self.by_group()), []
        for group in groups:
            zones = self.blueprint.zones(self.blueprint.group(group)) or ("",)
            wanted.append((group, zones[there[group] % len(zones)]))
            there[group] += 1
        return self._join(wanted)

    @property
    def hyperpod(self) -> bool:
        """Whether its nodes are HyperPod's."""
        return self.blueprint.hyperpod is not None

    @property
    def checked(self) -> tuple[PlannedNode, ...]:
        """The nodes that deep health checks run on."""
        return tuple(node for node in self.nodes if health.is_checked(node))

    def end_checks(self) -> None:
        """Ends the deep health checks; they pass.

        Raises:
            RehearsalError: the plugins do not settle.
        """
        new = {node.name: health.after_checks(node) for node in self.checked}
        self.nodes = tuple(new.get(node.name, node) for node in self.nodes)
        self._client.each(lambda node: planning.update_labels(self._client, node), self._devices.joined(new.values()))
        self._settle()


def _joining(node: PlannedNode) -> PlannedNode:
    """A node as it is when it joins: its deep health checks run, if it has any."""
    joining = _with_daemons(node)
    return health.under_checks(joining) if health.has_checks(node) else joining


def _made(deployment: JsonObject) -> bool:
    """Whether its controller created all its pods, or reports that it cannot (a quota, a webhook)."""
    status = deployment.get("status", {})
    if status.get("observedGeneration") != deployment["metadata"]["generation"]:
        return False
    cannot = any(each["type"] == "ReplicaFailure" for each in status.get("conditions", ()))
    return cannot or status.get("replicas", 0) == deployment["spec"]["replicas"]


def _with_daemons(node: PlannedNode) -> PlannedNode:
    """The node less the requests of the pods that EKS runs on each node. It avoids three thousand simulated pods."""
    all_of_it = node.manifest["status"]["allocatable"]
    left = planning.left_over(all_of_it, {name: used_of(DAEMONS, name) for name in ("cpu", "memory", "pods")})
    status = {**node.manifest["status"], "allocatable": {**all_of_it, **left}}
    return replace(node, manifest={**node.manifest, "status": status})


def live_node(
    node: PlannedNode,
    found: JsonObject,
    used: Mapping[str, int] = MappingProxyType({}),
    published: Mapping[str, int] = MappingProxyType({}),
    taken: Mapping[str, int] = MappingProxyType({}),
) -> LiveNode:
    """A node with its resources less what DaemonSets take, and with the devices that its DRA drivers publish now."""
    amounts = {name: base_units(name, Quantity.parse(text)) for name, text in found["status"]["allocatable"].items()}
    allocatable = {**{name: amount - taken.get(name, 0) for name, amount in amounts.items()}, **published}
    planned = {
        **allocatable,
        **{name: number for each in (node.built_in, *node.devices.values()) for name, number in each.items()},
    }
    labels = {key: value for key, value in (found["metadata"].get("labels") or {}).items() if key != FIRST}
    return LiveNode(
        name=node.name,
        group=node.group,
        instance=labels.get(INSTANCE_TYPE, ""),
        labels=labels,
        taints=taints_of(found["spec"]),
        amounts={name: Amount(number, allocatable.get(name, 0), used.get(name, 0)) for name, number in planned.items()},
    )
