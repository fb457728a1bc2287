"""What a pod asks of a node beside what the nodes have, and have left."""

from collections.abc import Sequence
from math import ceil

from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.hardware.huge_pages import PAGE
from muster.kubernetes_quantity import BUILT_IN, MIB, format_amount, format_with_resource, is_huge_pages
from muster.rehearsal.kubernetes.causes.node_selection import broken_devices_cause, not_served, with_article
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod, growth_of, sum_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode, groups_of_nodes
from muster.rehearsal.outcome import Cause, Sum, count_by_group
from muster.size import Size

__all__ = ["beyond_a_node", "full", "scattered", "sum_of"]


def beyond_a_node(sum_: Sum, nodes: Sequence[LiveNode], scene: ClusterSnapshot) -> Cause:
    """No node offers as much, however empty it is."""
    resource = sum_.resource
    best = max(nodes, key=lambda node: (node.planned(resource), node.offered(resource)))
    most = best.planned(resource)
    if is_huge_pages(resource):
        return _huge_pages(sum_, best)
    if most >= sum_.asked:
        having = [node for node in nodes if node.planned(resource) >= sum_.asked]
        return broken_devices_cause(sum_, having) if best.offered(resource) else not_served(sum_, having, scene)
    where, has = f"groups.{best.group}.instance", format_amount(resource, most)
    if resource in BUILT_IN:
        pages = ", its huge pages" if any(map(best.planned, filter(is_huge_pages, best.amounts))) else ""
        said = f"{with_article(best.instance)} leaves {has} to pods, beside the system{pages} and EKS's own pods"
        remedy = f"ask for at most {format_amount(resource, max(node.free(resource) for node in nodes))} of {resource}"
    else:
        said = f"{with_article(best.instance)} has {has}"
        remedy = f"ask for at most {has} {resource} in one pod, and spread the work over more pods"
    return Cause(
        "more-than-a-node-has",
        f"it asks for {format_with_resource(resource, sum_.asked)}; {said}",
        remedy,
        where,
        (sum_,),
    )


def _huge_pages(sum_: Sum, node: LiveNode) -> Cause:
    where, wants = f"groups.{node.group}.huge-pages", f"it asks for {format_with_resource(sum_.resource, sum_.asked)}"
    if sum_.resource != HUGE_PAGES_RESOURCE:
        said = f"{wants}, and nodes reserve pages of 2Mi only"
        return Cause("no-such-huge-pages", said, f"ask for {HUGE_PAGES_RESOURCE}", where, (sum_,))
    needed = Size(ceil(sum_.asked / (PAGE.mib * MIB)) * PAGE.mib)
    most = node.planned(sum_.resource)
    return Cause(
        "too-few-huge-pages",
        f"{wants}; a node of '{node.group}' reserves {format_amount(sum_.resource, most) if most else 'none'}",
        f"set {where} to at least {needed} (nodes with EFA reserve 10256MiB where the key is left out), "
        "or let the pod ask for less",
        where,
        (sum_,),
    )


def full(asking: PendingPod, nodes: Sequence[LiveNode], scene: ClusterSnapshot, short: tuple[Sum, ...]) -> Cause:
    """Any of the nodes could take it, and none has enough left."""
    room = _room(asking, nodes)
    if asking.alike > room:
        return _crowded(asking, nodes, scene, short)
    what, have = " and ".join(_resource_noun(each.resource) for each in short), "has" if len(nodes) == 1 else "have"
    said = f"{count_by_group(nodes)} could take it, and {have} too little {what} left beside what runs there"
    remedy, where = _more(asking, nodes, scene, 1)
    return Cause("nodes-full", said, remedy, where, short)


def scattered(asking: PendingPod, nodes: Sequence[LiveNode], scene: ClusterSnapshot, sums: tuple[Sum, ...]) -> Cause:
    """All that it asks for is free, but never on one node."""
    lacking: dict[tuple[str, tuple[str, ...]], list[LiveNode]] = {}
    for node in nodes:
        lacking.setdefault((node.group, asking.lacks(node)), []).append(node)
    short = tuple(each for each in sums if any(each.resource in resources for _, resources in lacking))
    if asking.alike > _room(asking, nodes):
        return _crowded(asking, nodes, scene, short)
    told = (
        f"{count_by_group(those)} {'has' if len(those) == 1 else 'have'} too little "
        f"{' and '.join(map(_resource_noun, resources))}"
        for (_, resources), those in lacking.items()
    )
    remedy, where = _more(asking, nodes, scene, 1)
    return Cause(
        "no-node-has-all-left",
        f"no single node has all of it left: {', '.join(told)}",
        f"end what takes it on one of them, or {remedy}",
        where,
        short,
    )


def _room(asking: PendingPod, nodes: Sequence[LiveNode]) -> int:
    """How many such pods the nodes take, with nothing else on them."""
    return sum(asking.fits(node) for node in nodes)


def _crowded(asking: PendingPod, nodes: Sequence[LiveNode], scene: ClusterSnapshot, short: tuple[Sum, ...]) -> Cause:
    """The job's own pods are more than the nodes take."""
    room = _room(asking, nodes)
    verb = "takes" if len(nodes) == 1 else "together take"
    said = f"{count_by_group(nodes)} {verb} {room} such pod{_s(room)}; the job has {asking.alike}"
    most_in_one = max(1, *(asking.fits(node) for node in nodes))
    remedy, where = _more(asking, nodes, scene, ceil((asking.alike - room) / most_in_one))
    fewer = f", or let the job have {room} such pod{_s(room)}" if room else ""
    return Cause("nodes-full", said, f"{remedy}{fewer}", where, short)


def _more(asking: PendingPod, nodes: Sequence[LiveNode], scene: ClusterSnapshot, more: int) -> tuple[str, str]:
    """How so many nodes come beside these, and the path that this is about."""
    names, restricted = groups_of_nodes(nodes), _restricted(asking, nodes, scene)
    if len(names) > 1:
        either = " or ".join(repr(name) for name in names)
        return f"give group {either} {more} more node{_s(more)}{restricted}", f"groups.{names[0]}.nodes"
    growth = growth_of(scene, names[0], more)
    return f"{growth.remedy}{restricted}", growth.where


def _restricted(asking: PendingPod, nodes: Sequence[LiveNode], scene: ClusterSnapshot) -> str:
    """What keeps the pod off other nodes of these groups: not every new node would do."""
    names = groups_of_nodes(nodes)
    others = [(node, lacking) for node in scene.nodes if node.group in names and (lacking := asking.unmet(node))]
    if not others:
        return ""
    nearest: tuple[str, ...] = min((lacking for _, lacking in others), key=len)
    return (
        f", and see that what is new has {' and '.join(nearest)}, without which it goes nowhere; or let its node "
        f"selector or affinity take the other {count_by_group([node for node, _ in others])}"
    )


def _resource_noun(resource: str) -> str:
    return "room for pods" if resource == "pods" else resource


def _s(number: int) -> str:
    return "" if number == 1 else "s"
