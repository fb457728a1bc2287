"""Checks of the nodes: joined, ready, healthy, as planned, and with the planned resources. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from muster.addons.image_names import PLUGIN_IMAGES
from muster.blueprint.hyperpod.commands import REBOOT_NODES, REPLACE_NODES
from muster.blueprint.hyperpod.node_labels import DEEP_CHECKS, FAULTS, NODE_HEALTH, DeepChecks, Health
from muster.blueprint.labels import GROUP
from muster.blueprint.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.extras.verify.checks import Deviation
from muster.extras.verify.expected import Expectations, ExpectedGroup, ExpectedHyperPod
from muster.extras.verify.observed import NodeCondition, ObservedCluster, ObservedNode
from muster.finding import Level
from muster.kubernetes_quantity import CPU, MIB

_NAME = re.compile(r"hyperpod-i-[0-9a-f]{8,17}")


def hyperpod_node_deviations(
    group: ExpectedGroup, hyperpod: ExpectedHyperPod, node: ObservedNode
) -> Iterator[Deviation]:
    """The deviations of one node that only nodes of HyperPod can have.

    Args:
        group: the node's group.
        hyperpod: the expected labels and settings of HyperPod.
        node: the observed node.
    """
    for what in _strange(hyperpod, node):
        remedy = f"find its origin; `{hyperpod.list_nodes}` lists HyperPod's nodes"
        yield Deviation("node-of-hyperpod", Level.MANDATORY, group.where, group.where, what, remedy, node.name)
    if ailing := ailment(node):
        what, status = ailing
        remedy = _hyperpod_remedy(hyperpod, status)
        yield Deviation("node-healthy", Level.MANDATORY, group.where, group.where, what, remedy, node.name)


def is_checked(node: ObservedNode) -> bool:
    """Whether deep health checks run on it."""
    status = node.labels.get(NODE_HEALTH, Health.CHECKED)
    return node.labels.get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS and status == Health.CHECKED


def _strange(hyperpod: ExpectedHyperPod, node: ObservedNode) -> Iterator[str]:
    """The missing signs of a node of HyperPod."""
    wrong = sorted(key for key, value in hyperpod.labels.items() if node.labels.get(key) != value)
    if wrong:
        labels = ", ".join(
            f"{key}={hyperpod.labels[key]}" + (f" (it is {node.labels[key]})" if key in node.labels else "")
            for key in wrong
        )
        yield f"lacks HyperPod's label {labels}"
    elif not _NAME.fullmatch(node.name):
        yield "does not have a name of HyperPod's nodes, hyperpod-i-..."


def ailment(node: ObservedNode) -> tuple[str, str] | None:
    """The fault in HyperPod's labels of a node, as text, and the remedy, as a `Health`; None if there is no fault, or
    if HyperPod checks the node."""
    status, deep = node.labels.get(NODE_HEALTH, Health.SCHEDULABLE), node.labels.get(DEEP_CHECKS)
    faults = ", ".join(node.labels[label] for label in FAULTS if node.labels.get(label))
    why = f" ({faults})" if faults else ""
    if is_checked(node):
        return None
    if status == Health.SCHEDULABLE:
        return (f"HyperPod's deep health check failed{why}", Health.TO_REPLACE) if deep == DeepChecks.FAILED else None
    return f"HyperPod reports {status}{why}", status


def _hyperpod_remedy(hyperpod: ExpectedHyperPod, status: str) -> str:
    reboot = status == Health.TO_REBOOT
    if hyperpod.recovers:
        return f"wait until HyperPod has {'rebooted' if reboot else 'replaced'} it; until then, no job starts there"
    command = REBOOT_NODES if reboot else REPLACE_NODES
    return f"run `{command}`, because HyperPod does nothing automatically with node-recovery: none"


@dataclass(frozen=True, slots=True)
class NodeRemedies:
    """The remedies for deviations of nodes."""

    lacking: str
    """Nodes did not join."""
    faulty: str
    """An agent reports a node as faulty."""
    old: str
    """A node runs another version of Kubernetes."""
    unlabelled: str
    """A node lacks a label of its group."""


_EKS = NodeRemedies(
    lacking="find out why instances do not start or join: `aws eks describe-nodegroup` (health.issues), the Auto "
    "Scaling group's activities, and on the instance `journalctl -u kubelet`",
    faulty="set `node-repair: true`, or terminate the instance; then check the new node",
    old="update the group to the description's version (`pulumi up`), and replace self-managed nodes",
    unlabelled="set it with `kubectl label node`, and for later nodes in the node group: `pulumi up`",
)

_HYPERPOD = NodeRemedies(
    lacking="find out why instances do not start or join: `aws sagemaker describe-cluster` (FailureMessage), "
    "`list-cluster-events`, the log stream LifecycleConfig/GROUP/INSTANCE, and on the instance "
    "/var/log/provision/provisioning.log",
    faulty=f"wait until HyperPod replaces it, or run `{REPLACE_NODES}`; then check the new node",
    old="update the image of the group: `aws sagemaker update-cluster-software`",
    unlabelled="run `pulumi up`, so that HyperPod sets it on all nodes of the group (KubernetesConfig)",
)


def remedies_for(group: ExpectedGroup) -> NodeRemedies:
    """The remedies for the nodes of a group."""
    return _HYPERPOD if group.hyperpod else _EKS


_MINOR = re.compile(r"v?(\d+)\.(\d+)")
_KUBELET_BEHIND = 3
"""The number of minor versions that a kubelet may be behind the API server (Kubernetes, "Version skew policy"). The
version of the API server is not read: a kubelet that is newer than the description need not be newer than the
server."""

_TRANSIENT = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "node.eks.amazonaws.com/")
"""Taints that controllers set and remove: the conditions report their reasons."""

_AUTOSCALERS = frozenset({"ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler"})
"""The Cluster Autoscaler's taints of a node that it removes, or may remove (`utils/taints`)."""

MONITORED = ("AcceleratedHardwareReady", "ContainerRuntimeReady", "KernelReady", "NetworkingReady", "StorageReady")
"""The EKS node monitoring agent's conditions: False is a fault."""
_PRESSURES = ("DiskPressure", "MemoryPressure", "NetworkUnavailable", "PIDPressure")
"""The kubelet's conditions: True is a fault."""


def node_deviations(expected: Expectations, seen: ObservedCluster) -> Iterator[Deviation]:
    """All deviations of nodes, except for their resources."""
    for group in expected.groups:
        nodes = seen.of_group(group.name)
        yield from _count(group, len(nodes))
        yield from _zones(group, nodes)
        for node in nodes:
            of_node = (_ready, _zone, _instance, _kubelet, _labels, _taints, _health)
            yield from chain.from_iterable(judge(group, node) for judge in of_node)


def _about_node(
    group: ExpectedGroup,
    check: str,
    level: Level,
    what: str,
    remedy: str,
    node: ObservedNode | None = None,
    at: str = "",
) -> Deviation:
    where = f"{group.where}.{at}" if at else group.where
    return Deviation(check, level, where, group.where, what, remedy, node.name if node else "")


def _count(group: ExpectedGroup, joined: int) -> Iterator[Deviation]:
    if group.waits:
        if joined:
            what = (
                f"{_nodes(joined)} joined, but none is expected: the description sets its Capacity Block to not active"
            )
            remedy = "set `active: true` once it has started, then run `pulumi up`"
            yield _about_node(group, "nodes-joined", Level.ADVISORY, what, remedy, at="capacity.capacity-block")
        return
    wanted = str(group.least) if group.least == group.most else f"{group.least} to {group.most}"
    if joined < group.least:
        what = f"{joined or 'none'} of {_nodes(group.least)} joined"
        yield _about_node(group, "nodes-joined", Level.MANDATORY, what, remedies_for(group).lacking, at="nodes")
    elif group.hyperpod and joined < group.start:
        what = f"{joined} of {_nodes(group.start)} joined: enough for the group to be in service; others may still join"
        yield _about_node(group, "nodes-joined", Level.ADVISORY, what, remedies_for(group).lacking, at="nodes")
    elif joined > group.most:
        what, remedy = (
            f"{_nodes(joined)} joined, but {wanted} planned",
            "scale the group down, or set the number in the description and run `pulumi up`",
        )
        yield _about_node(group, "nodes-joined", Level.MANDATORY, what, remedy, at="nodes")
    elif not joined and group.start:
        what = f"none of {wanted} nodes joined"
        remedy = "if this is not intended, scale the group up, because jobs for it wait"
        yield _about_node(group, "nodes-joined", Level.ADVISORY, what, remedy, at="nodes")


def _nodes(count: int) -> str:
    return f"{count} node" if count == 1 else f"{count} nodes"


def _zones(group: ExpectedGroup, nodes: tuple[ObservedNode, ...]) -> Iterator[Deviation]:
    """Nodes of a group with EFA in several zones, all of which are planned."""
    zones = {node.zone for node in nodes if node.zone}
    if group.efa and len(zones) > 1 and (not group.zones or zones <= set(group.zones)):
        what = f"the group's nodes are in {' and '.join(sorted(zones))}, and EFA traffic cannot cross zones"
        remedy = "set `zone:` of the group to one zone; nodes in other zones are then replaced"
        yield _about_node(group, "efa-one-zone", Level.MANDATORY, what, remedy, at="zone")


def _ready(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if not node.ready:
        message = node.conditions.get("Ready", NodeCondition("Unknown", "", "its kubelet has not reported yet")).said
        remedy = "find the reason: `kubectl describe node NAME`, and on the instance `journalctl -u kubelet`"
        yield _about_node(group, "node-ready", Level.MANDATORY, f"not Ready: {message}", remedy, node)


def _zone(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if group.zones and node.zone and node.zone not in group.zones:
        what = f"is in zone {node.zone}, but planned in {' or '.join(group.zones)}"
        remedy = "restore the node group's subnets: `pulumi up --refresh` shows the difference to the description"
        yield _about_node(group, "node-zone", Level.MANDATORY, what, remedy, node, "zone")


def _instance(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if node.instance and node.instance != group.instance:
        what = f"has type {node.instance}, but {group.instance} is planned"
        remedy = "replace it: another version of the launch template, or another tool, launched it"
        yield _about_node(group, "node-instance-type", Level.MANDATORY, what, remedy, node, "instance")


def _kubelet(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    has, planned = _MINOR.match(node.kubelet), _MINOR.match(group.kubernetes)
    if not has or not planned or has.groups() == planned.groups():
        return
    ahead = int(has[2]) - int(planned[2])
    unsupported = has[1] != planned[1] or -ahead > _KUBELET_BEHIND
    what = f"runs kubelet {node.kubelet}, but {group.kubernetes} is planned"
    why = " (newer than the description)" if ahead > 0 else ""
    remedy = remedies_for(group).old
    level = Level.MANDATORY if unsupported else Level.ADVISORY
    yield Deviation("node-kubelet-version", level, "kubernetes", group.where, f"{what}{why}", remedy, node.name)


def _labels(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    wrong = sorted(key for key, value in group.labels.items() if node.labels.get(key) != value)
    if not wrong:
        return
    labels = ", ".join(
        f"{key}={group.labels[key]}" + (f" (it is {node.labels[key]})" if key in node.labels else "") for key in wrong
    )
    # Jobs and the NVIDIA plugin find their nodes by this label.
    level = Level.MANDATORY if GROUP in wrong else Level.ADVISORY
    yield _about_node(
        group, "node-labels", level, f"lacks the label {labels}", remedies_for(group).unlabelled, node, "labels"
    )


def _taints(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    lacking = sorted(group.taints - node.taints)
    if lacking:
        what = f"lacks the taint {', '.join(map(str, lacking))}"
        remedy = "set it with `kubectl taint node`; otherwise any pod may use the node, and jobs wait"
        yield _about_node(group, "node-taints", Level.ADVISORY, what, remedy, node, "taints")
    keys = {taint.key for taint in group.taints}
    others = sorted(
        taint
        for taint in node.taints - group.taints
        if taint.blocks
        and taint.key not in _AUTOSCALERS
        and not taint.key.startswith((*_TRANSIENT, NODE_HEALTH))
        and (taint.key not in keys or not lacking)
    )
    if others:
        what = f"has the taint {', '.join(map(str, others))}, which is not planned, so jobs do not tolerate it"
        remedy = "remove it, or add it to the group's taints"
        yield _about_node(group, "node-taints", Level.ADVISORY, what, remedy, node, "taints")


def _health(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if node.cordoned:
        yield _about_node(
            group,
            "node-healthy",
            Level.ADVISORY,
            "is cordoned, so no new pod starts there",
            "find out why it was cordoned, then run `kubectl uncordon`",
            node,
        )
    for condition in (*MONITORED, *_PRESSURES):
        state = node.conditions.get(condition)
        good = "True" if condition in MONITORED else "False"
        if state is None or state.status == good or (condition in _PRESSURES and not node.ready):
            continue
        level = Level.ADVISORY if state.status == "Unknown" else Level.MANDATORY
        remedy = remedies_for(group).faulty
        yield _about_node(group, "node-healthy", level, f"{condition} is {state.status}: {state.said}", remedy, node)
    hyperpod = group.hyperpod
    yield from hyperpod_node_deviations(group, hyperpod, node) if hyperpod else _hyperpod(group, node)


def _hyperpod(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    """The deviations of a node with HyperPod's labels that is not planned on HyperPod. Its node recovery is unknown."""
    if is_checked(node):
        what = f"HyperPod reports {Health.CHECKED}: its deep health checks run"
        yield _about_node(group, "node-healthy", Level.ADVISORY, what, "wait for the deep health checks to end", node)
    elif ailing := ailment(node):
        remedy = "let HyperPod replace or reboot it"
        yield _about_node(group, "node-healthy", Level.MANDATORY, ailing[0], remedy, node)


TOLERANCE_PER_MILLE = 10
"""The accepted shortage of CPU and memory.

CPU follows nodeadm's formula exactly. Memory is a conservative estimate (7.5 % for the hypervisor: real nodes have
more), so a node with less than planned has lost memory for a reason. A kernel's own share changes by some tenths of a
percent between releases.
"""


def resource_deviations(
    expected: Expectations, seen: ObservedCluster, unserved: Mapping[str, frozenset[str]]
) -> Iterator[Deviation]:
    """The deviations of resources of every ready node.

    Args:
        expected: the plan.
        seen: the cluster.
        unserved: node -> resources whose plugin does not run there: the plugin's finding has the reason.
    """
    for group in expected.groups:
        for node in seen.of_group(group.name):
            if node.ready:
                yield from _devices(group, node, unserved.get(node.name, frozenset()))
                yield from _huge_pages(group, node)
                yield from _cpu_memory_pods(group, node)


def _devices(group: ExpectedGroup, node: ObservedNode, unserved: frozenset[str]) -> Iterator[Deviation]:
    for served, devices in group.devices.items():
        if served in unserved:
            continue
        for resource, planned in devices.items():
            yield from _device(group, node, resource, planned)
    for resource in sorted(PLUGIN_IMAGES.keys() - group.devices.keys()):
        if has := node.offers(resource):
            what = f"offers {has} {resource}, but none is planned"
            remedy = "correct the description, or replace the nodes: Muster sizes jobs without these devices"
            yield _resource_deviation(group, node, "node-offers", Level.ADVISORY, what, remedy)


def _device(group: ExpectedGroup, node: ObservedNode, resource: str, planned: int) -> Iterator[Deviation]:
    offered, has = node.offers(resource), node.has(resource)
    if resource not in node.allocatable:
        what = f"offers no {resource}, but {planned} planned"
        remedy = "read the log of the device plugin on the node: it found no device, or cannot reach the kubelet"
    elif offered < planned and has >= planned:
        what = f"offers {offered} of {planned} {resource}: {has - offered} of {has} are unhealthy"
        remedy = "replace the instance: its plugin reports a broken device (the plugin's log has its name)"
    elif offered < planned:
        what = f"offers {offered} of {planned} {resource}"
        remedy = (
            "replace the node: its launch template determined its interfaces (`muster plan` shows the planned ones)"
            if resource == EFA_RESOURCE
            else "read the plugin's log on the node (time slicing, MIG), or replace the node"
        )
    elif offered > planned and offered != group.other_numbers.get(resource):
        what = f"offers {offered} {resource}, but {planned} planned"
        remedy = (
            "update the EFA plugin: versions before 0.5.10 count devices on p6-b200 that are not EFA"
            if resource == EFA_RESOURCE
            else "check how the plugin shares devices (time slicing, MPS): two pods may share one device"
        )
    else:
        return
    yield _resource_deviation(group, node, "node-offers", Level.MANDATORY, what, remedy)


def _huge_pages(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    offered = node.offers(HUGE_PAGES_RESOURCE) // MIB
    if offered == group.huge_pages_mib:
        return
    what = f"offers {offered}Mi of {HUGE_PAGES_RESOURCE}, but {group.huge_pages_mib}Mi planned"
    fewer = offered < group.huge_pages_mib
    remedy = (
        "reboot or replace it: memory was fragmented when the pages were reserved, or its user data is outdated"
        if fewer
        else "replace it: its user data is outdated, and pods cannot use the memory that is reserved for pages"
    )
    level = Level.MANDATORY if fewer else Level.ADVISORY
    yield _resource_deviation(group, node, "node-offers", level, what, remedy, "huge-pages")


def _cpu_memory_pods(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if CPU in node.allocatable:
        cpu = node.offers(CPU)
        if _less(cpu, group.cpu_millicores):
            what = f"has {cpu}m of CPU for pods, but {group.cpu_millicores}m planned"
            remedy = "check the reservations of its kubelet (`kubectl get --raw /api/v1/nodes/NAME/proxy/configz`)"
            yield _resource_deviation(
                group, node, "node-room", Level.MANDATORY, f"{what}: a job of that size waits", remedy
            )
    if "memory" in node.allocatable and group.memory_mib is not None:
        memory = node.offers("memory") // MIB
        if _less(memory, group.memory_mib):
            what = f"has {memory}Mi of memory for pods, but {group.memory_mib}Mi planned (a conservative estimate)"
            remedy = "find the reason: more huge pages than planned, the kubelet's reservations, or the image"
            yield _resource_deviation(
                group, node, "node-room", Level.MANDATORY, f"{what}: a job of that size waits", remedy
            )
    if "pods" in node.allocatable and group.pods is not None and (pods := node.offers("pods")) != group.pods:
        more = pods > group.pods
        what = f"accepts {pods} pods, but {group.pods} planned"
        remedy = (
            "check the address mode of the VPC CNI: without prefixes, excess pods stay in ContainerCreating"
            if more
            else "check its kubelet's maxPods: system pods and jobs may have no room"
        )
        yield _resource_deviation(group, node, "node-room", Level.ADVISORY, what, remedy)


def _less(has: int, planned: int) -> bool:
    return has * 1000 < planned * (1000 - TOLERANCE_PER_MILLE)


def _resource_deviation(
    group: ExpectedGroup, node: ObservedNode, check: str, level: Level, what: str, remedy: str, at: str = ""
) -> Deviation:
    where = f"{group.where}.{at}" if at else group.where
    return Deviation(check, level, where, group.where, what, remedy, node.name)
