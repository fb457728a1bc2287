"""The nodes: joined, ready, healthy, as planned, and offering the resources that are planned. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from addons.image_names import PLUGIN_IMAGES
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
    """The deviations of one node that only HyperPod's nodes can have.

    Args:
        group: the node's group.
        hyperpod: the expected labels and settings of HyperPod.
        node: the observed node.
    """
    for what in _strange(hyperpod, node):
        remedy = f"see where it comes from; HyperPod's own are listed by `{hyperpod.list_nodes}`"
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
    """What a node of HyperPod's would have."""
    wrong = sorted(key for key, value in hyperpod.labels.items() if node.labels.get(key) != value)
    if wrong:
        said = ", ".join(
            f"{key}={hyperpod.labels[key]}" + (f" (it is {node.labels[key]})" if key in node.labels else "")
            for key in wrong
        )
        yield f"lacks HyperPod's label {said}"
    elif not _NAME.fullmatch(node.name):
        yield "is not called as HyperPod calls its nodes, hyperpod-i-..."


def ailment(node: ObservedNode) -> tuple[str, str] | None:
    """What HyperPod's labels on a node say is wrong, in words, and what is to be done, as a `Health`; None where
    nothing is, or it is checked."""
    status, deep = node.labels.get(NODE_HEALTH, Health.SCHEDULABLE), node.labels.get(DEEP_CHECKS)
    faults = ", ".join(node.labels[label] for label in FAULTS if node.labels.get(label))
    why = f" ({faults})" if faults else ""
    if is_checked(node):
        return None
    if status == Health.SCHEDULABLE:
        return (f"HyperPod's deep health check failed{why}", Health.TO_REPLACE) if deep == DeepChecks.FAILED else None
    return f"HyperPod says {status}{why}", status


def _hyperpod_remedy(hyperpod: ExpectedHyperPod, status: str) -> str:
    reboot = status == Health.TO_REBOOT
    if hyperpod.recovers:
        return f"wait until HyperPod has {'rebooted' if reboot else 'replaced'} it; no job is placed there meanwhile"
    command = REBOOT_NODES if reboot else REPLACE_NODES
    return f"`{command}`, for node-recovery is none: HyperPod does nothing by itself, nor by a label"


@dataclass(frozen=True, slots=True)
class NodeRemedies:
    """Remedies, each for one thing that is wrong."""

    lacking: str
    """Nodes did not join."""
    faulty: str
    """Something monitors a node, and calls it faulty."""
    old: str
    """A node runs another Kubernetes."""
    unlabelled: str
    """A node lacks a label of its group's."""


_EKS = NodeRemedies(
    lacking="see why instances do not start or join: `aws eks describe-nodegroup` (health.issues), the Auto Scaling "
    "group's activities, and on the instance `journalctl -u kubelet`",
    faulty="let it be repaired: `node-repair: true` does, else terminate the instance; then look at the new one",
    old="update the group to the description's version (`pulumi up`); self-managed nodes have to be replaced",
    unlabelled="set it with `kubectl label node`; nodes that come later get it from the node group: `pulumi up`",
)

_HYPERPOD = NodeRemedies(
    lacking="see why instances do not come: `aws sagemaker describe-cluster` (FailureMessage), `list-cluster-events`, "
    "the log stream LifecycleConfig/GROUP/INSTANCE, and on the instance /var/log/provision/provisioning.log",
    faulty=f"let it be replaced: HyperPod does what it finds itself, else `{REPLACE_NODES}`; then look at the new one",
    old="let HyperPod put a newer image on the group: `aws sagemaker update-cluster-software`",
    unlabelled="have HyperPod set it on all nodes of the group (KubernetesConfig): `pulumi up`",
)


def remedies_for(group: ExpectedGroup) -> NodeRemedies:
    """What to do about a group's nodes."""
    return _HYPERPOD if group.hyperpod else _EKS


_MINOR = re.compile(r"v?(\d+)\.(\d+)")
_KUBELET_BEHIND = 3
"""Minor versions that a kubelet may be behind the API server (Kubernetes, "Version skew policy"). What the API server
runs is not looked at: a kubelet that is ahead of the description need not be ahead of that."""

_TRANSIENT = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "node.eks.amazonaws.com/")
"""Taints that controllers set and take away: the conditions report their reasons."""

_AUTOSCALERS = frozenset({"ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler"})
"""The Cluster Autoscaler's, of a node that it takes away, or may (`utils/taints`)."""

MONITORED = ("AcceleratedHardwareReady", "ContainerRuntimeReady", "KernelReady", "NetworkingReady", "StorageReady")
"""The EKS node monitoring agent's conditions: False is a fault."""
_PRESSURES = ("DiskPressure", "MemoryPressure", "NetworkUnavailable", "PIDPressure")
"""The kubelet's: True is a fault."""


def node_deviations(expected: Expectations, seen: ObservedCluster) -> Iterator[Deviation]:
    """Everything that is wrong with nodes, but for what they offer."""
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
                f"{_nodes(joined)} joined, none is expected: the description says that its Capacity Block has not begun"
            )
            remedy = "say `active: true` when it has begun, then `pulumi up`"
            yield _about_node(group, "nodes-joined", Level.ADVISORY, what, remedy, at="capacity.capacity-block")
        return
    wanted = str(group.least) if group.least == group.most else f"{group.least} to {group.most}"
    if joined < group.least:
        what = f"{joined or 'none'} of {_nodes(group.least)} joined"
        yield _about_node(group, "nodes-joined", Level.MANDATORY, what, remedies_for(group).lacking, at="nodes")
    elif group.hyperpod and joined < group.start:
        what = f"{joined} of {_nodes(group.start)} joined: enough to be in service, the others may still come"
        yield _about_node(group, "nodes-joined", Level.ADVISORY, what, remedies_for(group).lacking, at="nodes")
    elif joined > group.most:
        what, remedy = (
            f"{_nodes(joined)} joined, {wanted} planned",
            "scale it down, or say the number, then `pulumi up`",
        )
        yield _about_node(group, "nodes-joined", Level.MANDATORY, what, remedy, at="nodes")
    elif not joined and group.start:
        what = f"none of {wanted} nodes joined"
        remedy = "scale it up, if nobody scaled it down on purpose: jobs for it wait"
        yield _about_node(group, "nodes-joined", Level.ADVISORY, what, remedy, at="nodes")


def _nodes(count: int) -> str:
    return f"{count} node" if count == 1 else f"{count} nodes"


def _zones(group: ExpectedGroup, nodes: tuple[ObservedNode, ...]) -> Iterator[Deviation]:
    """Nodes in zones that are each planned, where EFA has to pass between them."""
    zones = {node.zone for node in nodes if node.zone}
    if group.efa and len(zones) > 1 and (not group.zones or zones <= set(group.zones)):
        what = f"its nodes are in {' and '.join(sorted(zones))}: EFA does not pass between them"
        remedy = "give the group one zone (`zone:`); nodes in the others are replaced"
        yield _about_node(group, "efa-one-zone", Level.MANDATORY, what, remedy, at="zone")


def _ready(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if not node.ready:
        said = node.conditions.get("Ready", NodeCondition("Unknown", "", "its kubelet has said nothing yet")).said
        remedy = "look at it: `kubectl describe node NAME`, and on the instance `journalctl -u kubelet`"
        yield _about_node(group, "node-ready", Level.MANDATORY, f"not Ready: {said}", remedy, node)


def _zone(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if group.zones and node.zone and node.zone not in group.zones:
        what = f"in zone {node.zone}, planned in {' or '.join(group.zones)}"
        remedy = "the node group's subnets are not the description's: `pulumi up --refresh` shows what was changed"
        yield _about_node(group, "node-zone", Level.MANDATORY, what, remedy, node, "zone")


def _instance(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if node.instance and node.instance != group.instance:
        what = f"of type {node.instance}, planned {group.instance}"
        remedy = "let it be replaced: it was launched by another version of the template, or by somebody else"
        yield _about_node(group, "node-instance-type", Level.MANDATORY, what, remedy, node, "instance")


def _kubelet(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    has, planned = _MINOR.match(node.kubelet), _MINOR.match(group.kubernetes)
    if not has or not planned or has.groups() == planned.groups():
        return
    ahead = int(has[2]) - int(planned[2])
    unsupported = has[1] != planned[1] or -ahead > _KUBELET_BEHIND
    what = f"runs kubelet {node.kubelet}, planned {group.kubernetes}"
    why = " (newer than the description)" if ahead > 0 else ""
    remedy = remedies_for(group).old
    level = Level.MANDATORY if unsupported else Level.ADVISORY
    yield Deviation("node-kubelet-version", level, "kubernetes", group.where, f"{what}{why}", remedy, node.name)


def _labels(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    wrong = sorted(key for key, value in group.labels.items() if node.labels.get(key) != value)
    if not wrong:
        return
    said = ", ".join(
        f"{key}={group.labels[key]}" + (f" (it is {node.labels[key]})" if key in node.labels else "") for key in wrong
    )
    # Jobs and the NVIDIA plugin find their nodes by it.
    level = Level.MANDATORY if GROUP in wrong else Level.ADVISORY
    yield _about_node(
        group, "node-labels", level, f"lacks the label {said}", remedies_for(group).unlabelled, node, "labels"
    )


def _taints(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    lacking = sorted(group.taints - node.taints)
    if lacking:
        what = f"lacks the taint {', '.join(map(str, lacking))}"
        remedy = "set it with `kubectl taint node`: any pod may take its room, and a job then finds none"
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
        what = f"has the taint {', '.join(map(str, others))}, which is not planned: jobs do not tolerate it"
        remedy = "take it away, or add it to the group's taints"
        yield _about_node(group, "node-taints", Level.ADVISORY, what, remedy, node, "taints")


def _health(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if node.cordoned:
        yield _about_node(
            group,
            "node-healthy",
            Level.ADVISORY,
            "is cordoned: no new pod gets there",
            "find out who did it and why; then `kubectl uncordon`",
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
    """Of a node that is not planned as HyperPod's, and has its labels: whether that replaces nodes is not known."""
    if is_checked(node):
        what = f"HyperPod says {Health.CHECKED}: its deep health checks run"
        yield _about_node(group, "node-healthy", Level.ADVISORY, what, "wait for the deep health checks to end", node)
    elif ailing := ailment(node):
        remedy = "let HyperPod replace or reboot it"
        yield _about_node(group, "node-healthy", Level.MANDATORY, ailing[0], remedy, node)


TOLERANCE_PER_MILLE = 10
"""How much less CPU and memory than planned is still as planned.

CPU follows nodeadm's formula exactly. Memory is an estimate on the careful side (7.5 % for the hypervisor: real nodes
have more), so that what has less than planned has lost it to something; a kernel's own share moves by some tenths of
a percent between releases.
"""


def resource_deviations(
    expected: Expectations, seen: ObservedCluster, unserved: Mapping[str, frozenset[str]]
) -> Iterator[Deviation]:
    """What every ready node offers too little or too much of.

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
            what = f"offers {has} {resource}, planned none"
            remedy = "say in the description what the nodes have, or replace them: jobs are sized without these"
            yield _resource_deviation(group, node, "node-offers", Level.ADVISORY, what, remedy)


def _device(group: ExpectedGroup, node: ObservedNode, resource: str, planned: int) -> Iterator[Deviation]:
    offered, has = node.offers(resource), node.has(resource)
    if resource not in node.allocatable:
        what = f"offers no {resource}, planned {planned}"
        remedy = "see the log of its device plugin on the node: it found no device, or cannot reach the kubelet"
    elif offered < planned and has >= planned:
        what = f"offers {offered} of {planned} {resource}: {has - offered} of {has} are unhealthy"
        remedy = "replace the instance: its plugin calls a device broken (the plugin's log says which)"
    elif offered < planned:
        what = f"offers {offered} of {planned} {resource}"
        remedy = (
            "replace the node: interfaces come at launch, by the template of the day (`muster plan` shows the planned)"
            if resource == EFA_RESOURCE
            else "see the plugin's log on the node (time slicing, MIG), or replace the node"
        )
    elif offered > planned and offered != group.other_numbers.get(resource):
        what = f"offers {offered} {resource}, planned {planned}"
        remedy = (
            "update the EFA plugin: before 0.5.10 it counts what is no EFA on p6-b200"
            if resource == EFA_RESOURCE
            else "see how the plugin shares devices (time slicing, MPS): two pods then share one"
        )
    else:
        return
    yield _resource_deviation(group, node, "node-offers", Level.MANDATORY, what, remedy)


def _huge_pages(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    offered = node.offers(HUGE_PAGES_RESOURCE) // MIB
    if offered == group.huge_pages_mib:
        return
    what = f"offers {offered}Mi of {HUGE_PAGES_RESOURCE}, planned {group.huge_pages_mib}Mi"
    fewer = offered < group.huge_pages_mib
    remedy = (
        "reboot or replace it: memory was in pieces when the pages were set aside, or its user data is an older one"
        if fewer
        else "replace it: its user data is an older one; what is set aside for pages is memory that pods lack"
    )
    level = Level.MANDATORY if fewer else Level.ADVISORY
    yield _resource_deviation(group, node, "node-offers", level, what, remedy, "huge-pages")


def _cpu_memory_pods(group: ExpectedGroup, node: ObservedNode) -> Iterator[Deviation]:
    if CPU in node.allocatable:
        cpu = node.offers(CPU)
        if _less(cpu, group.cpu_millicores):
            what = f"has {cpu}m of cpu for pods, planned {group.cpu_millicores}m"
            remedy = "see what its kubelet reserves (`kubectl get --raw /api/v1/nodes/NAME/proxy/configz`)"
            yield _resource_deviation(
                group, node, "node-room", Level.MANDATORY, f"{what}: a job of that size waits", remedy
            )
    if "memory" in node.allocatable and group.memory_mib is not None:
        memory = node.offers("memory") // MIB
        if _less(memory, group.memory_mib):
            what = f"has {memory}Mi of memory for pods, planned {group.memory_mib}Mi (an estimate on the careful side)"
            remedy = "see what took it: more huge pages than planned, the kubelet's reservations, the image"
            yield _resource_deviation(
                group, node, "node-room", Level.MANDATORY, f"{what}: a job of that size waits", remedy
            )
    if "pods" in node.allocatable and group.pods is not None and (pods := node.offers("pods")) != group.pods:
        more = pods > group.pods
        what = f"takes {pods} pods, planned {group.pods}"
        remedy = (
            "see how the VPC CNI gives addresses: without prefixes, pods beyond them stay in ContainerCreating"
            if more
            else "see its kubelet's maxPods: system pods and jobs may find no place"
        )
        yield _resource_deviation(group, node, "node-room", Level.ADVISORY, what, remedy)


def _less(has: int, planned: int) -> bool:
    return has * 1000 < planned * (1000 - TOLERANCE_PER_MILLE)


def _resource_deviation(
    group: ExpectedGroup, node: ObservedNode, check: str, level: Level, what: str, remedy: str, at: str = ""
) -> Deviation:
    where = f"{group.where}.{at}" if at else group.where
    return Deviation(check, level, where, group.where, what, remedy, node.name)
