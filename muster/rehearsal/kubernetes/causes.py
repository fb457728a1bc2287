"""Why a pod waits: the cause in the description or the job, and its remedy; else the scheduler's own sentence.

The scheduler counts nodes by its filters ("4 Insufficient nvidia.com/gpu"). It does not know that they have GPUs which
no plugin offers, or that one more node would be enough. `cause_of` filters the nodes, as they are and as planned: first
those that have the devices, then those that selector and affinity allow, then those whose taints the pod tolerates. On
the remaining nodes it compares the requests with the free resources, node by node.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.hyperpod.node_labels import CHECKS_TAKE, DEEP_CHECKS, NODE_HEALTH, TAINT, DeepChecks, Health
from muster.blueprint.labels import HOST_NAME
from muster.blueprint.node import DEVICE_CLASSES
from muster.config.description.addons import addon_entry
from muster.config.description.node_group import LEAST_MEMORY
from muster.hardware.huge_pages import PAGE
from muster.kubernetes_quantity import MIB, format_amount, format_with_resource, is_device, is_huge_pages
from muster.message_text import did_you_mean, list_names
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, InstalledPlugin, LiveNode
from muster.rehearsal.outcome import Cause, Sum, count_by_group
from muster.scheduling.constraints import PodConstraints, PodSpec
from muster.scheduling.fit import copies_that_fit, may_be_on, unmet_selection
from muster.scheduling.reason_text import requirement_texts
from muster.scheduling.requirements import Unmet
from muster.scheduling.taints import Taint, untolerated
from muster.size import Size

SCHEDULER_SAYS = "scheduler-says"
"""The cause of a pod whose only explanation is the scheduler's message."""
DEEP_HEALTH_CHECKS = "hyperpod-deep-checks"
"""The only cause that ends without a change."""
NO_PLUGIN = "no-plugin"
"""The cause of devices whose plugin is no add-on of the description."""
NOT_SERVED = frozenset({NO_PLUGIN, "plugin-not-on-node"})
"""The causes of devices that no plugin offers."""

_BEYOND_A_NODE = "more-than-a-node-has"
_CLAIM_NOT_FOUND = re.compile(r'persistentvolumeclaim "([^"]{1,255})" not found')
_SAYS = Cause(
    SCHEDULER_SAYS,
    "the scheduler refuses the pod for the reason in its message",
    "change the job or the description according to this message",
)
_UNHANDLED = Cause(
    SCHEDULER_SAYS,
    "no scheduler of the rehearsal handles the pod",
    "remove schedulerName and nodeName from the pod, or add the add-on that installs the scheduler",
)


@dataclass(frozen=True)
class PendingPod:
    """A waiting pod."""

    pod: PodSpec
    """Its spec."""
    requests: Mapping[str, int]
    """Resource -> amount, each more than zero; 1 of ``pods``."""
    role: str
    alike: int
    """The number of the job's pods with the same requests and constraints, in any role."""
    waiting: int = 1
    """How many of them wait."""
    gang: bool = False
    """Whether those that wait start together or not at all."""

    def fits(self, node: LiveNode) -> int:
        """How many such pods fit on an empty node."""
        return copies_that_fit(self.requests, {name: node.offered(name) for name in self.requests})

    def room(self, node: LiveNode) -> int:
        """How many such pods fit beside the running pods of a node."""
        return copies_that_fit(self.requests, {name: node.free(name) for name in self.requests})

    @cached_property
    def constraints(self) -> PodConstraints:
        """What it requires of its node besides resources."""
        return PodConstraints.of(self.pod)

    def unmet(self, node: LiveNode) -> tuple[str, ...]:
        """The requirements of its selector and affinity that a node does not meet, in words."""
        return requirement_texts(unmet_selection(self.constraints, node))

    def untolerated(self, node: LiveNode) -> tuple[Taint, ...]:
        """The taints of a node that it does not tolerate, in the node's order."""
        return untolerated(self.constraints.tolerations, node.taints)

    def has_devices(self, node: LiveNode) -> bool:
        """Whether a node has some of each requested device."""
        return all(node.planned(resource) for resource in self.requests if is_device(resource))

    def suits(self, node: LiveNode) -> bool:
        """Whether a node has its devices and may run it, regardless of free resources."""
        return self.has_devices(node) and may_be_on(self.constraints, node)


def cause_of(pending: PendingPod, snapshot: ClusterSnapshot, reason: str) -> Cause:
    """Why the pod waits.

    Args:
        pending: the pod.
        snapshot: the nodes, with what all running pods use.
        reason: the scheduler's message; empty if no scheduler handles the pod.
    """
    if not reason:
        return _UNHANDLED
    if found := _CLAIM_NOT_FOUND.search(reason):
        return Cause(
            "claim-missing",
            f"the pod mounts the PersistentVolumeClaim '{found[1]}', which does not exist",
            "create the claim before the job, in its namespace; for a rehearsal, put it into the job's file",
        )
    return _deep_checks(pending, snapshot) or _node_lost(pending, snapshot) or _among_nodes(pending, snapshot)


def _node_lost(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if a node that the drill has removed could have run the pod; else None."""
    lost = [node for node in map(_passed, snapshot.lost) if pending.suits(node)]
    if not lost:
        return None
    remedy = "wait until a new node replaces what is lost; to avoid the wait, add a spare node to the group"
    said = f"no node but what is lost ({count_by_group(lost)}) has room for the pod"
    return Cause("node-lost", said, remedy, f"groups.{lost[0].group}")


def _among_nodes(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause:
    """The cause in the devices, labels and taints of nodes, then in their amounts."""
    able = [node for node in map(_passed, snapshot.nodes) if pending.has_devices(node)]
    chosen = [node for node in able if not pending.unmet(node)]
    if not chosen and (empty := _empty_group(pending, snapshot)) is not None:
        return empty
    if not able:
        return _no_such_device(pending, snapshot)
    if not chosen:
        return _not_chosen(pending, able)
    taken = [node for node in chosen if not pending.untolerated(node)]
    return _arithmetic(pending, taken, snapshot) if taken else _not_tolerated(pending, chosen)


def _no_such_device(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause:
    """The cause if no node has a device that the pod requests."""
    nodes = (*snapshot.nodes, *snapshot.absent)
    every = {name for node in nodes for name in node.amounts if is_device(name) and node.planned(name)}
    there = sorted(every - {*DEVICE_CLASSES.values()})
    lacking = next((name for name in sorted(pending.requests) if is_device(name) and name not in there), "")
    if not lacking or not nodes:
        return _SAYS
    have = list_names(there) or "none"
    claimed = DEVICE_CLASSES.get(lacking)
    remedy = (
        f"replace the request with a claim of the DeviceClass {claimed}"
        if claimed in every
        else f"request devices that the nodes have ({have}), or choose a stack whose nodes have {lacking}"
    )
    return Cause(
        _BEYOND_A_NODE,
        f"the pod requests {lacking}, and no node has it{did_you_mean(lacking, there)}",
        remedy,
        sums=(_sum_of(lacking, pending.requests[lacking], nodes),),
    )


def _arithmetic(pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> Cause:
    """The cause in resources of which the allowed nodes have too little."""
    together = pending.waiting if pending.gang else 1
    if sum(map(pending.room, nodes)) >= together:
        return _SAYS
    # First the nodes that would fit if they offered their devices.
    if (unserved := _unserved(pending, nodes, snapshot)) is not None:
        return unserved
    sums = [_sum_of(resource, number, nodes) for resource, number in sorted(pending.requests.items())]
    if beyond := next((each for each in sums if each.most_on_a_node < each.asked), None):
        return _beyond_a_node(pending, beyond, nodes)
    short = tuple(
        each for each in sums if each.asked > each.most_free or each.asked * together > each.offered - each.in_use
    )
    return _full(pending, nodes, snapshot, short) if short else _SAYS


def _sum_of(resource: str, number: int, nodes: Sequence[LiveNode]) -> Sum:
    """The request of a resource, and how much of it these nodes offer, use and have free."""
    return Sum(
        resource=resource,
        asked=number,
        nodes=len(nodes),
        most_on_a_node=max(node.offered(resource) for node in nodes),
        offered=sum(node.offered(resource) for node in nodes),
        in_use=sum(node.used(resource) for node in nodes),
        most_free=max(node.free(resource) for node in nodes),
    )


# Groups without nodes, labels, taints.


def _empty_group(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if a group without nodes has nodes that could run the pod, or that are too small for it."""
    nodes = [_once_joined(node) for node in snapshot.absent if pending.suits(node)]
    for node in nodes:
        if not pending.room(node):
            continue
        described, where = snapshot.blueprint.group(node.group).described, f"groups.{node.group}.nodes"
        need = ceil(pending.alike / max(1, pending.fits(node)))
        remedy = (
            f"wait until {described.node_creator} creates nodes; `kubectl describe nodepool` shows why none comes"
            if described.by_karpenter
            else f"scale the group to {need} nodes before you submit the job, or set {where}.start to {need}"
        )
        return Cause("group-has-no-nodes", f"group '{node.group}' could run the pod, but has no nodes", remedy, where)
    sums = (_sum_of(resource, number, nodes) for resource, number in sorted(pending.requests.items()) if nodes)
    return next((_beyond_a_node(pending, each, nodes) for each in sums if each.most_on_a_node < each.asked), None)


def _once_joined(node: LiveNode) -> LiveNode:
    """A node that its group could have, once it has joined and offers its devices."""
    return replace(node, amounts={name: replace(each, offered=each.planned) for name, each in node.amounts.items()})


def _not_chosen(pending: PendingPod, nodes: Sequence[LiveNode]) -> Cause:
    """The cause if selector or affinity exclude every node that has its devices."""
    lacking = min(map(pending.unmet, nodes), key=len)
    carried = []
    for key in sorted(pending.constraints.keys):
        values = sorted({node.labels[key] for node in nodes if key in node.labels})
        carried.append(f"{key} is {' or '.join(values)}" if values else f"no node has {key}")
    return Cause(
        "no-node-chosen",
        f"the pod requires nodes with {' and '.join(lacking)}, but no node with its devices matches",
        f"change the pod's node selector or affinity to match the labels of the nodes ({'; '.join(carried)})",
    )


def _not_tolerated(pending: PendingPod, nodes: Sequence[LiveNode]) -> Cause:
    """The cause if every allowed node has a taint that the pod does not tolerate."""
    nearest = min(nodes, key=lambda node: len(pending.untolerated(node)))
    taints = pending.untolerated(nearest)
    tolerations = ", ".join(f"{{key: {each.key}, operator: Exists, effect: {each.effect}}}" for each in taints)
    return Cause(
        "taint-not-tolerated",
        f"the pod does not tolerate the taints of {count_by_group(nodes)}; nearest: {' and '.join(map(str, taints))}",
        f"add to the pod's tolerations: {tolerations}",
        f"groups.{nearest.group}",
    )


# Devices that no plugin offers.


def _unserved(pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> Cause | None:
    """Why nodes that would fit the pod do not offer their devices, for the nodes of the first group; None if none."""
    for node in nodes:
        idle = [name for name in pending.requests if node.planned(name) and not node.offered(name)]
        if idle and all(node.planned(name) >= number for name, number in pending.requests.items()):
            same = [each for each in nodes if each.group == node.group and not each.offered(idle[0])]
            return _not_served(_sum_of(idle[0], pending.requests[idle[0]], same), same, snapshot)
    return None


def _not_served(sum_: Sum, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> Cause:
    """The cause if none of these nodes offers its devices."""
    resource = sum_.resource
    have = f"no {resource} is offered on {count_by_group(nodes)}"
    servers = snapshot.servers.get(resource, ())
    if not servers:
        fitting = [name for name, addon in CATALOGUE.items() if addon.serves == resource]
        remedy = (
            f"add `{addon_entry(fitting[0])}` below addons:" if fitting else f"install the device plugin of {resource}"
        )
        said = f"{have}: the description has no add-on with its device plugin"
        return Cause(NO_PLUGIN, said, remedy, "addons", (sum_,))
    server = servers[0]
    why, key = _kept_off(server, nodes)
    where = f"addons.{server.addon}"
    change = f"remove `{key}` from {where}.values" if key in server.own_values else f"set `{key}` in {where}.values"
    return Cause(
        "plugin-not-on-node",
        f"{have}: {server.addon} does not run there, because {why}",
        f"{change}; Muster's defaults match the nodes of every group",
        f"{where}.values.{key}" if key in server.own_values else where,
        (sum_,),
    )


def _kept_off(server: InstalledPlugin, nodes: Sequence[LiveNode]) -> tuple[str, str]:
    """Why a plugin's pods do not run on these nodes, and the key of its values that causes it."""
    pods = server.constraints
    nearest = min((unmet_selection(pods, node) for node in nodes), key=lambda unmet: len(requirement_texts(unmet)))
    if lacking := requirement_texts(nearest):
        key = "nodeSelector" if any(isinstance(each, Unmet) for each in nearest) else "affinity"
        return f"its pods require nodes with {' and '.join(lacking)}", key
    if taints := min((untolerated(pods.tolerations, node.taints) for node in nodes), key=len):
        return f"its pods do not tolerate {' and '.join(map(str, taints))}", "tolerations"
    return "its pods were not created, or are themselves waiting", "resources"


# Amounts.


def _beyond_a_node(pending: PendingPod, sum_: Sum, nodes: Sequence[LiveNode]) -> Cause:
    """The cause if even an empty node offers too little."""
    resource = sum_.resource
    best = max(nodes, key=lambda node: node.offered(resource))
    asks = f"the pod requests {format_with_resource(resource, sum_.asked)}"
    has = format_amount(resource, best.offered(resource))
    if is_huge_pages(resource):
        where = f"groups.{best.group}.huge-pages"
        needed = Size(ceil(sum_.asked / (PAGE.mib * MIB)) * PAGE.mib)
        left = best.offered("memory") + best.offered(resource) - needed.mib * MIB
        more = f"set {where} to at least {needed} (nodes reserve pages of 2Mi), or "
        usable = left >= max(pending.requests.get("memory", 0), LEAST_MEMORY.mib * MIB)
        return Cause(
            "too-few-huge-pages",
            f"{asks}; a node of '{best.group}' reserves {has if best.offered(resource) else 'none'}",
            f"{more if usable else ''}reduce the pod's request",
            where,
            (sum_,),
        )
    return Cause(
        _BEYOND_A_NODE,
        f"{asks}; a node of type {best.instance} has {has} for pods",
        f"request at most {has} of {resource} in one pod",
        f"groups.{best.group}.instance",
        (sum_,),
    )


def _full(pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot, short: tuple[Sum, ...]) -> Cause:
    """The cause if any of the nodes could run the pod when empty, but none has enough left."""
    room = sum(pending.fits(node) for node in nodes)
    lacking = " and ".join("room for pods" if each.resource == "pods" else each.resource for each in short)
    said = f"{count_by_group(nodes)} could run the pod, but the running pods leave too little {lacking}"
    if pending.alike > room:
        said = f"{count_by_group(nodes)} can run {room} of the job's {pending.alike} such pods"
    missing = ceil(max(1, pending.waiting - sum(map(pending.room, nodes))) / max(1, *map(pending.fits, nodes)))
    remedy, where = _growth(snapshot, nodes[0].group, missing)
    if HOST_NAME in pending.constraints.keys:  # new nodes have other names
        able = (node for node in snapshot.nodes if pending.has_devices(node) and not pending.untolerated(node))
        free = [node.name for node in able if pending.room(node)]
        there = f"name {list_names(free)} in the pod's {HOST_NAME}, too" if free else f"remove {HOST_NAME} from the pod"
        remedy, where = there, ""
    return Cause("nodes-full", said, f"{remedy}, or reduce the job", where, short)


def _growth(snapshot: ClusterSnapshot, group: str, more: int) -> tuple[str, str]:
    """How a group gets this number of additional nodes, and the dotted path of the number to change."""
    need = more + sum(node.group == group for node in (*snapshot.nodes, *snapshot.lost))
    described = snapshot.blueprint.group(group).described
    nodes, where = described.nodes, f"groups.{group}.nodes"
    if not (described.by_karpenter or nodes.fixed):
        where = f"{where}.{'max' if need > nodes.max else 'start'}"
    held = described.capacity.held
    short = held and held.count and held.count < need
    return f"raise {where} to {need}" + (f" (its reservation holds {held.count})" if held and short else ""), where


# HyperPod's deep health checks.


def _is_checked(node: LiveNode) -> bool:
    return node.labels.get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS


def _passed(node: LiveNode) -> LiveNode:
    """The node once its deep health checks have passed, if they run."""
    if not _is_checked(node):
        return node
    labels = {**node.labels, NODE_HEALTH: Health.SCHEDULABLE.value, DEEP_CHECKS: DeepChecks.PASSED.value}
    return replace(node, labels=labels, taints=tuple(each for each in node.taints if each != TAINT))


def _deep_checks(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if HyperPod still checks nodes that have room for the pod; None if no such node fits.

    If no plugin offers the devices on them, that is the cause, because the checks also use those devices.
    """
    nodes = [node for node in snapshot.nodes if _is_checked(node) and pending.suits(_passed(node))]
    if not nodes:
        return None
    if (unserved := _unserved(pending, nodes, snapshot)) is not None:
        return unserved
    if not any(map(pending.room, nodes)):
        return None
    return Cause(
        DEEP_HEALTH_CHECKS,
        f"HyperPod's deep health checks still run on {count_by_group(nodes)}, which could run the pod",
        f"wait: the checks take {CHECKS_TAKE} on every new instance; "
        f"`kubectl get nodes -L {DEEP_CHECKS}` shows their progress",
        f"groups.{nodes[0].group}.hyperpod.deep-health-checks",
    )
