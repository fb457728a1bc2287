"""Causes in resources: a request that no node can satisfy, at present or ever."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from muster.blueprint.labels import HOST_NAME
from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.hardware.huge_pages import PAGE
from muster.kubernetes_quantity import BUILT_IN, MIB, format_amount, format_with_resource, is_huge_pages
from muster.rehearsal.kubernetes.causes.node_selection import broken_devices_cause, not_served, with_article
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod, growth_of, sum_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode, groups_of_nodes
from muster.rehearsal.outcome import Cause, Sum, count_by_group
from muster.size import Size

__all__ = ["beyond_a_node", "full", "more_nodes", "scattered", "sum_of"]


def beyond_a_node(sum_: Sum, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> Cause:
    """The cause if even an empty node offers too little."""
    resource = sum_.resource
    best = max(nodes, key=lambda node: (node.planned(resource), node.offered(resource)))
    most = best.planned(resource)
    if is_huge_pages(resource):
        return _huge_pages(sum_, best, snapshot)
    if most >= sum_.asked:
        having = [node for node in nodes if node.planned(resource) >= sum_.asked]
        return broken_devices_cause(sum_, having) if best.offered(resource) else not_served(sum_, having, snapshot)
    where, has = f"groups.{best.group}.instance", format_amount(resource, most)
    if resource in BUILT_IN:
        pages = ", its huge pages" if any(map(best.planned, filter(is_huge_pages, best.amounts))) else ""
        message = f"{with_article(best.instance)} has {has} for pods, after the system{pages} and EKS's own pods"
        remedy = f"request at most {format_amount(resource, max(node.free(resource) for node in nodes))} of {resource}"
    else:
        message = f"{with_article(best.instance)} has {has}"
        remedy = f"request at most {has} {resource} in one pod, and spread the work over more pods"
    return Cause(
        "more-than-a-node-has",
        f"the pod requests {format_with_resource(resource, sum_.asked)}; {message}",
        remedy,
        where,
        (sum_,),
    )


def _huge_pages(sum_: Sum, node: LiveNode, snapshot: ClusterSnapshot) -> Cause:
    where, wants = (
        f"groups.{node.group}.huge-pages",
        (f"the pod requests {format_with_resource(sum_.resource, sum_.asked)}"),
    )
    if sum_.resource != HUGE_PAGES_RESOURCE:
        message = f"{wants}, but nodes reserve only pages of 2Mi"
        return Cause("no-such-huge-pages", message, f"request {HUGE_PAGES_RESOURCE}", where, (sum_,))
    if snapshot.blueprint.group(node.group).described.by_auto_mode:
        return Cause(
            "no-such-huge-pages",
            f"{wants}, but the nodes of EKS Auto Mode reserve no huge pages",
            "remove the request, or use a group whose nodes reserve huge pages",
            f"groups.{node.group}",
            (sum_,),
        )
    needed = Size(ceil(sum_.asked / (PAGE.mib * MIB)) * PAGE.mib)
    most = node.planned(sum_.resource)
    return Cause(
        "too-few-huge-pages",
        f"{wants}; a node of '{node.group}' reserves {format_amount(sum_.resource, most) if most else 'none'}",
        f"set {where} to at least {needed} (the default of nodes with EFA is 10256MiB), or reduce the pod's request",
        where,
        (sum_,),
    )


def full(pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot, short: tuple[Sum, ...]) -> Cause:
    """The cause if any of the nodes could run the pod when empty, but none has enough left."""
    room = _room(pending, nodes)
    if pending.alike > room:
        return _crowded(pending, nodes, snapshot, short)
    what, have = " and ".join(_resource_noun(each.resource) for each in short), "has" if len(nodes) == 1 else "have"
    message = f"{count_by_group(nodes)} could run the pod, but {have} too little {what} left beside the running pods"
    remedy, where = more_nodes(pending, nodes, snapshot, 1)
    return Cause("nodes-full", message, remedy, where, short)


def scattered(
    pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot, sums: tuple[Sum, ...]
) -> Cause:
    """The cause if all requested resources are free, but not on one node."""
    lacking: dict[tuple[str, tuple[str, ...]], list[LiveNode]] = {}
    for node in nodes:
        lacking.setdefault((node.group, pending.lacks(node)), []).append(node)
    short = tuple(each for each in sums if any(each.resource in resources for _, resources in lacking))
    if pending.alike > _room(pending, nodes):
        return _crowded(pending, nodes, snapshot, short)
    parts = (
        f"{count_by_group(those)} {'has' if len(those) == 1 else 'have'} too little "
        f"{' and '.join(map(_resource_noun, resources))}"
        for (_, resources), those in lacking.items()
    )
    remedy, where = more_nodes(pending, nodes, snapshot, 1)
    return Cause(
        "no-node-has-all-left",
        f"no single node has all of the pod's requests free: {', '.join(parts)}",
        f"stop other pods on one of these nodes, or {remedy}",
        where,
        short,
    )


def _room(pending: PendingPod, nodes: Sequence[LiveNode]) -> int:
    """How many such pods fit on the nodes when they are empty."""
    return sum(pending.fits(node) for node in nodes)


def _crowded(
    pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot, short: tuple[Sum, ...]
) -> Cause:
    """The cause if the job has more pods than fit on the nodes."""
    room = _room(pending, nodes)
    verb = "has" if len(nodes) == 1 else "together have"
    message = f"{count_by_group(nodes)} {verb} room for {room} such pod{_s(room)}, but the job has {pending.alike}"
    most_in_one = max(1, *(pending.fits(node) for node in nodes))
    remedy, where = more_nodes(pending, nodes, snapshot, ceil((pending.alike - room) / most_in_one))
    fewer = f", or reduce the job to {room} such pod{_s(room)}" if room else ""
    return Cause("nodes-full", message, f"{remedy}{fewer}", where, short)


def more_nodes(pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot, more: int) -> tuple[str, str]:
    """The remedy that adds nodes to the groups of these nodes, and its path in the description. A pod that names its
    nodes would not be on a new one."""
    if pending.unmet(replace(nodes[0], labels={**nodes[0].labels, HOST_NAME: ""})):
        return f"allow more nodes in the pod's node selector or affinity, which require values of {HOST_NAME}", ""
    names, restricted = groups_of_nodes(nodes), _restricted(pending, nodes, snapshot)
    if len(names) > 1:
        either = " or ".join(repr(name) for name in names)
        return f"add {more} more node{_s(more)} to group {either}{restricted}", f"groups.{names[0]}.nodes"
    growth = growth_of(snapshot, names[0], more)
    return f"{growth.remedy}{restricted}", growth.where


def _restricted(pending: PendingPod, nodes: Sequence[LiveNode], snapshot: ClusterSnapshot) -> str:
    """A note if selector or affinity exclude other nodes of these groups: not every new node would fit."""
    names = groups_of_nodes(nodes)
    others = [(node, lacking) for node in snapshot.nodes if node.group in names and (lacking := pending.unmet(node))]
    if not others:
        return ""
    nearest: tuple[str, ...] = min((lacking for _, lacking in others), key=len)
    return (
        f"; a new node must have {' and '.join(nearest)}, which the pod requires. Or change the pod's node selector or "
        f"affinity so that it can use the other {count_by_group([node for node, _ in others])}"
    )


def _resource_noun(resource: str) -> str:
    return "room for pods" if resource == "pods" else resource


def _s(number: int) -> str:
    return "" if number == 1 else "s"
