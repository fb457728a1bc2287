"""The nodes: joined, ready, where and what they were planned to be, healthy. Pure."""

import re
from collections.abc import Iterator
from itertools import chain

from muster.fleet.finding import Level
from muster.fleet.hyperpod.health import NODE_HEALTH, Health
from muster.fleet.labels import GROUP
from muster.fleet.matching import KEEPS_OFF
from muster.live import hyperpod_nodes
from muster.live.advice import advice
from muster.live.checks import Deviation
from muster.live.expectations import Expectations, Group
from muster.live.seen import Node, NodeCondition, Seen

_MINOR = re.compile(r"v?(\d+)\.(\d+)")
_KUBELET_BEHIND = 3
"""Minor versions that a kubelet may be behind the API server (Kubernetes, "Version skew policy"). What the API server
runs is not looked at: a kubelet that is ahead of the description need not be ahead of that."""

_TRANSIENT = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "node.eks.amazonaws.com/")
"""Taints that controllers set and take away: what they stand for is told by the conditions."""

_AUTOSCALERS = frozenset({"ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler"})
"""The Cluster Autoscaler's, of a node that it takes away, or may (`utils/taints`)."""

MONITORED = ("AcceleratedHardwareReady", "ContainerRuntimeReady", "KernelReady", "NetworkingReady", "StorageReady")
"""The EKS node monitoring agent's conditions: False is a fault."""
_PRESSURES = ("DiskPressure", "MemoryPressure", "NetworkUnavailable", "PIDPressure")
"""The kubelet's: True is a fault."""


def deviations(expected: Expectations, seen: Seen) -> Iterator[Deviation]:
    """Everything that is wrong with nodes, but for what they offer."""
    for group in expected.groups:
        nodes = seen.of_group(group.name)
        yield from _count(group, len(nodes))
        yield from _zones(group, nodes)
        for node in nodes:
            of_node = (_ready, _zone, _instance, _kubelet, _labels, _taints, _health)
            yield from chain.from_iterable(judge(group, node) for judge in of_node)


def _of(
    group: Group, check: str, level: Level, what: str, remedy: str, node: Node | None = None, at: str = ""
) -> Deviation:
    where = f"{group.where}.{at}" if at else group.where
    return Deviation(check, level, where, group.where, what, remedy, node.name if node else "")


def _count(group: Group, joined: int) -> Iterator[Deviation]:
    if group.waits:
        if joined:
            what = (
                f"{_nodes(joined)} joined, none is expected: the description says that its Capacity Block has not begun"
            )
            remedy = "say `active: true` when it has begun, then `pulumi up`"
            yield _of(group, "nodes-joined", Level.ADVISORY, what, remedy, at="capacity.capacity-block")
        return
    wanted = str(group.least) if group.least == group.most else f"{group.least} to {group.most}"
    if joined < group.least:
        what = f"{joined or 'none'} of {_nodes(group.least)} joined"
        yield _of(group, "nodes-joined", Level.MANDATORY, what, advice(group).lacking, at="nodes")
    elif group.hyperpod and joined < group.start:
        what = f"{joined} of {_nodes(group.start)} joined: enough to be in service, the others may still come"
        yield _of(group, "nodes-joined", Level.ADVISORY, what, advice(group).lacking, at="nodes")
    elif joined > group.most:
        what, remedy = (
            f"{_nodes(joined)} joined, {wanted} planned",
            "scale it down, or say the number, then `pulumi up`",
        )
        yield _of(group, "nodes-joined", Level.MANDATORY, what, remedy, at="nodes")
    elif not joined and group.start:
        what = f"none of {wanted} nodes joined"
        remedy = "scale it up, if nobody scaled it down on purpose: jobs for it wait"
        yield _of(group, "nodes-joined", Level.ADVISORY, what, remedy, at="nodes")


def _nodes(count: int) -> str:
    return f"{count} node" if count == 1 else f"{count} nodes"


def _zones(group: Group, nodes: tuple[Node, ...]) -> Iterator[Deviation]:
    """Nodes in zones that are each planned, where EFA has to pass between them."""
    zones = {node.zone for node in nodes if node.zone}
    if group.efa and len(zones) > 1 and (not group.zones or zones <= set(group.zones)):
        what = f"its nodes are in {' and '.join(sorted(zones))}: EFA does not pass between them"
        remedy = "give the group one zone (`zone:`); nodes in the others are replaced"
        yield _of(group, "efa-one-zone", Level.MANDATORY, what, remedy, at="zone")


def _ready(group: Group, node: Node) -> Iterator[Deviation]:
    if not node.ready:
        said = node.conditions.get("Ready", NodeCondition("Unknown", "", "its kubelet has said nothing yet")).said
        remedy = "look at it: `kubectl describe node NAME`, and on the instance `journalctl -u kubelet`"
        yield _of(group, "node-ready", Level.MANDATORY, f"not Ready: {said}", remedy, node)


def _zone(group: Group, node: Node) -> Iterator[Deviation]:
    if group.zones and node.zone and node.zone not in group.zones:
        what = f"in zone {node.zone}, planned in {' or '.join(group.zones)}"
        remedy = "the node group's subnets are not the description's: `pulumi up --refresh` shows what was changed"
        yield _of(group, "node-zone", Level.MANDATORY, what, remedy, node, "zone")


def _instance(group: Group, node: Node) -> Iterator[Deviation]:
    if node.instance and node.instance != group.instance:
        what = f"of type {node.instance}, planned {group.instance}"
        remedy = "let it be replaced: it was launched by another version of the template, or by somebody else"
        yield _of(group, "node-instance-type", Level.MANDATORY, what, remedy, node, "instance")


def _kubelet(group: Group, node: Node) -> Iterator[Deviation]:
    has, planned = _MINOR.match(node.kubelet), _MINOR.match(group.kubernetes)
    if not has or not planned or has.groups() == planned.groups():
        return
    ahead = int(has[2]) - int(planned[2])
    unsupported = has[1] != planned[1] or -ahead > _KUBELET_BEHIND
    what = f"runs kubelet {node.kubelet}, planned {group.kubernetes}"
    why = " (newer than the description)" if ahead > 0 else ""
    remedy = advice(group).old
    level = Level.MANDATORY if unsupported else Level.ADVISORY
    yield Deviation("node-kubelet-version", level, "kubernetes", group.where, f"{what}{why}", remedy, node.name)


def _labels(group: Group, node: Node) -> Iterator[Deviation]:
    wrong = sorted(key for key, value in group.labels.items() if node.labels.get(key) != value)
    if not wrong:
        return
    said = ", ".join(
        f"{key}={group.labels[key]}" + (f" (it is {node.labels[key]})" if key in node.labels else "") for key in wrong
    )
    # Jobs and the NVIDIA plugin find their nodes by it.
    level = Level.MANDATORY if GROUP in wrong else Level.ADVISORY
    yield _of(group, "node-labels", level, f"lacks the label {said}", advice(group).unlabelled, node, "labels")


def _taints(group: Group, node: Node) -> Iterator[Deviation]:
    lacking = sorted(group.taints - node.taints)
    if lacking:
        what = f"lacks the taint {', '.join(map(str, lacking))}"
        remedy = "set it with `kubectl taint node`: any pod may take its room, and a job then finds none"
        yield _of(group, "node-taints", Level.ADVISORY, what, remedy, node, "taints")
    keys = {taint.key for taint in group.taints}
    others = sorted(
        taint
        for taint in node.taints - group.taints
        if taint.effect in KEEPS_OFF
        and taint.key not in _AUTOSCALERS
        and not taint.key.startswith((*_TRANSIENT, NODE_HEALTH))
        and (taint.key not in keys or not lacking)
    )
    if others:
        what = f"has the taint {', '.join(map(str, others))}, which is not planned: jobs do not tolerate it"
        remedy = "take it away, or add it to the group's taints"
        yield _of(group, "node-taints", Level.ADVISORY, what, remedy, node, "taints")


def _health(group: Group, node: Node) -> Iterator[Deviation]:
    if node.cordoned:
        yield _of(
            group,
            "node-healthy",
            Level.ADVISORY,
            "is cordoned: no new pod gets there",
            "find out who did it and why; then `kubectl uncordon`",
            node,
        )
    for condition in (*MONITORED, *_PRESSURES):
        held = node.conditions.get(condition)
        good = "True" if condition in MONITORED else "False"
        if held is None or held.status == good or (condition in _PRESSURES and not node.ready):
            continue
        level = Level.ADVISORY if held.status == "Unknown" else Level.MANDATORY
        remedy = advice(group).faulty
        yield _of(group, "node-healthy", level, f"{condition} is {held.status}: {held.said}", remedy, node)
    hyperpod = group.hyperpod
    yield from hyperpod_nodes.deviations(group, hyperpod, node) if hyperpod else _hyperpod(group, node)


def _hyperpod(group: Group, node: Node) -> Iterator[Deviation]:
    """Of a node that is not planned as HyperPod's, and has its labels: whether that replaces nodes is not known."""
    if hyperpod_nodes.is_checked(node):
        what = f"HyperPod says {Health.CHECKED}: its deep health checks run"
        yield _of(group, "node-healthy", Level.ADVISORY, what, "wait for the deep health checks to end", node)
    elif ailing := hyperpod_nodes.ailment(node):
        remedy = "let HyperPod replace or reboot it"
        yield _of(group, "node-healthy", Level.MANDATORY, ailing[0], remedy, node)
