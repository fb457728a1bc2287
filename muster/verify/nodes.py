"""Checks of the nodes: joined, ready, healthy, as planned, and with the planned resources. Pure."""

import re
from collections.abc import Iterator, Mapping

from muster.addons.image_names import PLUGIN_IMAGES
from muster.blueprint.hyperpod.node_labels import DEEP_CHECKS, FAULTS, NODE_HEALTH, DeepChecks, Health
from muster.blueprint.labels import GROUP
from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.finding import Level
from muster.kubernetes_quantity import CPU, MIB, format_amount
from muster.message_text import count_noun
from muster.verify.checks import Deviation
from muster.verify.expected import Expectations, ExpectedGroup
from muster.verify.observed import NodeCondition, ObservedCluster, ObservedNode

_MINOR = re.compile(r"v?(\d+)\.(\d+)")
_KUBELET_BEHIND = 3
"""The number of minor versions that a kubelet may be behind the API server (Kubernetes, "Version skew policy"). The
version of the API server is not read: a kubelet that is newer than the description need not be newer than the
server."""

_TRANSIENT = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "node.eks.amazonaws.com/", NODE_HEALTH)
"""Taints that controllers set and remove: the conditions and labels report their reasons."""

_AUTOSCALERS = frozenset({"ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler"})
"""The Cluster Autoscaler's taints of a node that it removes, or may remove (`utils/taints`)."""

MONITORED = ("AcceleratedHardwareReady", "ContainerRuntimeReady", "KernelReady", "NetworkingReady", "StorageReady")
"""The EKS node monitoring agent's conditions: False is a fault."""
_PRESSURES = ("DiskPressure", "MemoryPressure", "NetworkUnavailable", "PIDPressure")
"""The kubelet's conditions: True is a fault."""

TOLERANCE_PER_MILLE = 10
"""The accepted shortage of CPU and memory.

CPU follows nodeadm's formula exactly. Memory is a conservative estimate (7.5 % for the hypervisor: real nodes have
more), so a node with less than planned has lost memory for a reason. A kernel's own share changes by some tenths of a
percent between releases.
"""


def node_deviations(
    expected: Expectations, seen: ObservedCluster, unserved: Mapping[str, frozenset[str]]
) -> Iterator[Deviation]:
    """All deviations of nodes.

    Args:
        expected: the plan.
        seen: the cluster.
        unserved: node -> resources whose plugin does not run there: the plugin's finding has the reason.
    """
    for group in expected.groups:
        nodes = seen.of_group(group.name)
        yield from _count(group, len(nodes))
        yield from _zones(group, nodes)
        for node in nodes:
            yield from _planned(group, node)
            yield from _taints(group, node)
            yield from _health(group, node)
            if node.ready:
                yield from _offers(group, node, unserved.get(node.name, frozenset()))
                yield from _published(group, node, seen.published.get(node.name, {}))


def is_checked(node: ObservedNode) -> bool:
    """Whether HyperPod's deep health checks run on it."""
    status = node.labels.get(NODE_HEALTH, Health.CHECKED)
    return node.labels.get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS and status == Health.CHECKED


def _differs(field: object, got: object, planned: object) -> str:
    return f"{field} is {got}, but {planned} is planned"


def _count(group: ExpectedGroup, joined: int) -> Iterator[Deviation]:
    lowest = group.start if group.hyperpod else max(group.least, min(group.start, 1))
    if lowest <= joined <= group.most or (group.waits and not joined):
        return
    accepted = group.waits or group.least <= joined <= group.most
    planned = group.start if joined < lowest else group.most
    key = "capacity.capacity-block" if group.waits else "nodes"
    what = f"{count_noun(joined, 'node')} joined, but {0 if group.waits else planned} planned"
    level = Level.ADVISORY if accepted else Level.MANDATORY
    yield Deviation("nodes-joined", level, group.where, what, key=key)


def _zones(group: ExpectedGroup, nodes: tuple[ObservedNode, ...]) -> Iterator[Deviation]:
    """Nodes of a group with EFA in several zones, all of which are planned."""
    zones = {node.zone for node in nodes if node.zone}
    if group.node.efa and len(zones) > 1 and (not group.zones or zones <= set(group.zones)):
        what = f"the group's nodes are in {' and '.join(sorted(zones))}, and EFA traffic cannot cross zones"
        yield Deviation("efa-one-zone", Level.MANDATORY, group.where, what, key="zone")


def _planned(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    """The zone, the instance type, the version and the labels of a node."""
    if group.zones and node.zone and node.zone not in group.zones:
        what = _differs("zone", node.zone, " or ".join(group.zones))
        yield Deviation("node-zone", Level.MANDATORY, group.where, what, node.name, "zone")
    if node.instance and node.instance != group.instance:
        what = _differs("instance", node.instance, group.instance)
        yield Deviation("node-instance-type", Level.MANDATORY, group.where, what, node.name, "instance")
    has, planned = _MINOR.match(node.kubelet), _MINOR.match(group.kubernetes)
    if has and planned and has.groups() != planned.groups():
        unsupported = has[1] != planned[1] or int(planned[2]) - int(has[2]) > _KUBELET_BEHIND
        level = Level.MANDATORY if unsupported else Level.ADVISORY
        what = _differs("kubelet", node.kubelet, group.kubernetes)
        yield Deviation("node-kubelet-version", level, group.where, what, node.name)
    labels = {**group.labels, **(group.hyperpod or {})}
    for key, value in sorted(labels.items()):
        if node.labels.get(key) != value:
            # Jobs and the NVIDIA plugin find their nodes by the group's label.
            level = Level.MANDATORY if key == GROUP or key in (group.hyperpod or {}) else Level.ADVISORY
            what = _differs(f"label {key}", node.labels.get(key, "missing"), value)
            yield Deviation("node-labels", level, group.where, what, node.name, "labels")


def _taints(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    lacking, keys = group.taints - node.taints, {taint.key for taint in group.taints}
    others = {
        taint
        for taint in node.taints - group.taints
        if taint.blocks
        and taint.key not in _AUTOSCALERS
        and not taint.key.startswith(_TRANSIENT)
        and (taint.key not in keys or not lacking)
    }
    for text, taints in (("lacks the planned taint", lacking), ("has the unplanned taint", others)):
        if taints:
            what = f"{text} {', '.join(map(str, sorted(taints)))}"
            yield Deviation("node-taints", Level.ADVISORY, group.where, what, node.name, "taints")


def _health(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if not node.ready:
        state = node.conditions.get("Ready", NodeCondition("Unknown", "", "its kubelet has not reported yet"))
        yield Deviation("node-ready", Level.MANDATORY, group.where, f"not Ready: {state.said}", node.name)
    if node.cordoned:
        what = "is cordoned, so no new pod starts there"
        yield Deviation("node-healthy", Level.ADVISORY, group.where, what, node.name)
    for condition in (*MONITORED, *(_PRESSURES if node.ready else ())):
        found = node.conditions.get(condition)
        if found and found.status != ("True" if condition in MONITORED else "False"):
            level = Level.ADVISORY if found.status == "Unknown" else Level.MANDATORY
            what = f"{condition} is {found.status}: {found.said}"
            yield Deviation("node-healthy", level, group.where, what, node.name)
    yield from _hyperpod_health(group, node)


def _hyperpod_health(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    """HyperPod's labels. Running deep health checks are no deviation of a node that is planned on HyperPod."""
    status, deep = node.labels.get(NODE_HEALTH, Health.SCHEDULABLE), node.labels.get(DEEP_CHECKS)
    if is_checked(node):
        if not group.hyperpod:
            what = "HyperPod's deep health checks run"
            yield Deviation("node-healthy", Level.ADVISORY, group.where, what, node.name)
    elif status != Health.SCHEDULABLE or deep == DeepChecks.FAILED:
        faults = "".join(f" ({node.labels[label]})" for label in FAULTS if node.labels.get(label))
        reported = "a failed deep health check" if status == Health.SCHEDULABLE else status
        yield Deviation("node-healthy", Level.MANDATORY, group.where, f"HyperPod reports {reported}{faults}", node.name)


def _offers(group: ExpectedGroup, node: ObservedNode, unserved: frozenset[str]) -> Iterator[Deviation]:
    """The amounts that differ from the plan."""
    for resource, planned, level in (*_devices(group, node, unserved), *_room(group, node)):
        offered, has = node.offers(resource), node.has(resource)
        broken = f" ({has - offered} unhealthy)" if resource in group.offers and has > offered else ""
        what = _differs(resource, format_amount(resource, offered), format_amount(resource, planned)) + broken
        key = "huge-pages" if resource == HUGE_PAGES_RESOURCE else ""
        yield Deviation("node-offers", level, group.where, what, node.name, key)


_Difference = tuple[str, int, Level]
"""Resource, its planned amount in the base unit, level."""


def _devices(group: ExpectedGroup, node: ObservedNode, unserved: frozenset[str]) -> Iterator[_Difference]:
    for served, devices in group.node.devices.items():
        for resource, planned in devices.items() if served not in unserved else ():
            if node.offers(resource) not in {planned, group.node.other_numbers.get(resource)}:
                yield resource, planned, Level.MANDATORY
    for resource in sorted(PLUGIN_IMAGES.keys() - group.node.devices.keys()):
        if node.offers(resource):
            yield resource, 0, Level.ADVISORY


def _room(group: ExpectedGroup, node: ObservedNode) -> Iterator[_Difference]:
    there, pages = group.node.allocatable, node.offers(HUGE_PAGES_RESOURCE) // MIB
    if pages != there.huge_pages_mib:
        level = Level.MANDATORY if pages < there.huge_pages_mib else Level.ADVISORY
        yield HUGE_PAGES_RESOURCE, there.huge_pages_mib * MIB, level
    for resource, planned in ((CPU, there.cpu_millicores), ("memory", (there.memory_mib or 0) * MIB)):
        if resource in node.allocatable and node.offers(resource) * 1000 < planned * (1000 - TOLERANCE_PER_MILLE):
            yield resource, planned, Level.MANDATORY
    if "pods" in node.allocatable and there.pods not in {None, node.offers("pods")}:
        yield "pods", there.pods or 0, Level.ADVISORY


def _published(group: ExpectedGroup, node: ObservedNode, published: Mapping[str, int]) -> Iterator[Deviation]:
    """The devices that DRA drivers publish in ResourceSlices."""
    for name, planned in group.node.claims.items():
        if (found := published.get(name, 0)) != planned:
            what = _differs(f"number of published {name}", found, planned)
            yield Deviation("node-offers", Level.MANDATORY, group.where, what, node.name)
