"""Arithmetic: what a pod asks of a node, and what the nodes have and have left."""

from collections.abc import Sequence
from math import ceil

from muster.fleet.amounts import BUILT_IN, MIB, amount, is_huge_pages, named
from muster.fleet.huge_pages import PAGE
from muster.fleet.node import HUGE_PAGES_RESOURCE
from muster.fleet.quantity import Size
from muster.rehearsal.causes.asking import Asking
from muster.rehearsal.causes.places import these
from muster.rehearsal.causes.plugins import not_served
from muster.rehearsal.outcome import Cause, Sum
from muster.rehearsal.scene import LiveNode, Scene, groups


def sum_of(resource: str, number: int, nodes: Sequence[LiveNode]) -> Sum:
    """The arithmetic of one resource over these nodes."""
    return Sum(
        resource=resource,
        asked=number,
        nodes=len(nodes),
        most_on_a_node=max(node.offered(resource) for node in nodes),
        offered=sum(node.offered(resource) for node in nodes),
        in_use=sum(node.used(resource) for node in nodes),
        most_free=max(node.free(resource) for node in nodes),
    )


def beyond_a_node(sum_: Sum, nodes: Sequence[LiveNode], scene: Scene) -> Cause:
    """No node offers as much, however empty it is."""
    resource = sum_.resource
    best = max(nodes, key=lambda node: (node.planned(resource), node.offered(resource)))
    most = best.planned(resource)
    if is_huge_pages(resource):
        return _huge_pages(sum_, best)
    if most >= sum_.asked:
        return _broken(sum_, best) if sum_.most_on_a_node else not_served(sum_, nodes, scene)
    where, has = f"groups.{best.group}.instance", amount(resource, most)
    if resource in BUILT_IN:
        said = f"a {best.instance} leaves {has} to pods, beside the system, its huge pages and EKS's own pods"
        remedy = f"ask for at most {amount(resource, max(node.free(resource) for node in nodes))} of {resource}"
    else:
        said = f"a {best.instance} has {has}"
        remedy = f"ask for at most {has} {resource} in one pod, and spread the work over more pods"
    return Cause("more-than-a-node-has", f"it asks for {named(resource, sum_.asked)}; {said}", remedy, where, (sum_,))


def _broken(sum_: Sum, best: LiveNode) -> Cause:
    return Cause(
        "devices-broken",
        f"it asks for {named(sum_.resource, sum_.asked)}; a {best.instance} has {best.planned(sum_.resource)}, and at "
        f"most {sum_.most_on_a_node} of them work",
        f"replace the nodes whose {sum_.resource} are broken, or ask for less",
        f"groups.{best.group}",
        (sum_,),
    )


def _huge_pages(sum_: Sum, node: LiveNode) -> Cause:
    where, wants = f"groups.{node.group}.huge-pages", f"it asks for {named(sum_.resource, sum_.asked)}"
    if sum_.resource != HUGE_PAGES_RESOURCE:
        said = f"{wants}, and nodes reserve pages of 2Mi only"
        return Cause("no-such-huge-pages", said, f"ask for {HUGE_PAGES_RESOURCE}", where, (sum_,))
    needed = Size(ceil(sum_.asked / (PAGE.mib * MIB)) * PAGE.mib)
    most = node.planned(sum_.resource)
    return Cause(
        "too-few-huge-pages",
        f"{wants}; a node of '{node.group}' reserves {amount(sum_.resource, most) if most else 'none'}",
        f"set {where} to at least {needed} (nodes with EFA reserve 10256MiB where the key is left out), "
        "or let the pod ask for less",
        where,
        (sum_,),
    )


def full(asking: Asking, nodes: Sequence[LiveNode], scene: Scene, short: tuple[Sum, ...]) -> Cause:
    """Any of the nodes could take it, and none has enough left."""
    room, names = sum(asking.fits(node) for node in nodes), groups(nodes)
    crowded = asking.alike > room
    if crowded:
        verb = "takes" if len(nodes) == 1 else "together take"
        said = f"{these(nodes)} {verb} {room} such pod{_s(room)}; the job has {asking.alike}"
    else:
        what, have = " and ".join(_left(each.resource) for each in short), "has" if len(nodes) == 1 else "have"
        said = f"{these(nodes)} could take it, and {have} too little {what} left beside what runs there"
    where = f"groups.{names[0]}.nodes"
    if len(names) > 1:
        return Cause(
            "nodes-full", said, f"give {' or '.join(names)} more nodes, or let the job have fewer pods", where, short
        )
    most_in_one = max(1, *(asking.fits(node) for node in nodes))
    need = len(nodes) + (ceil((asking.alike - room) / most_in_one) if crowded else 1)
    fewer = f", or let the job have {room} such pod{_s(room)}" if crowded and room else ""
    return Cause("nodes-full", said, f"{_grow(scene, names[0], need)}{fewer}", where, short)


def _grow(scene: Scene, name: str, need: int) -> str:
    """How a group comes to so many nodes."""
    described = scene.blueprint.group(name).described
    said = f"scale group '{name}' to {need} nodes"
    if need > described.nodes.max:
        said = f"raise groups.{name}.nodes to {need}"
    held = described.capacity.held
    if held and held.count and held.count < need:
        said += f" (its reservation holds {held.count}, and would have to hold {need})"
    return said


def _left(resource: str) -> str:
    return "room for pods" if resource == "pods" else resource


def _s(number: int) -> str:
    return "" if number == 1 else "s"
