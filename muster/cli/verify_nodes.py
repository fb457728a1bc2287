"""A verification's groups and nodes: planned, joined, ready; what is offered."""

from typing import Any

from muster.fleet.node import HUGE_PAGES_RESOURCE
from muster.live.expectations import Expectations, Group
from muster.live.quantities import mib, whole
from muster.live.seen import Node, Seen
from muster.live.verification import GroupState, Verification

HEADS = ("group", "instance", "planned", "joined", "ready", "offers of each node, planned", "seen")


def groups(verification: Verification) -> list[dict[str, Any]]:
    """Every group, as `muster verify --json` prints it."""
    return [
        {
            "group": state.group.name,
            "instance": state.group.instance,
            "planned": {"min": state.group.least, "start": state.group.start, "max": state.group.most},
            "joined": len(state.nodes),
            "ready": state.ready,
            "offers": _planned(state.group),
        }
        for state in verification.groups
    ]


def nodes(seen: Seen, expected: Expectations) -> list[dict[str, Any]]:
    """Every node, likewise."""
    return [
        {
            "name": node.name,
            "group": node.group,
            "instance": node.instance or None,
            "zone": node.zone or None,
            "kubelet": node.kubelet,
            "ready": node.ready,
            "cordoned": node.cordoned,
            "offers": _offered(node, expected.group(node.group)),
            "allocatable": dict(node.allocatable),
        }
        for node in seen.nodes
    ]


def rows(verification: Verification) -> list[tuple[str, ...]]:
    """Every group, for people."""
    return [
        (
            state.group.name,
            state.group.instance,
            _count(state.group),
            str(len(state.nodes)),
            str(state.ready),
            _amounts(_planned(state.group)),
            _seen(state),
        )
        for state in verification.groups
    ]


def _count(group: Group) -> str:
    if group.waits:
        return "none until its Capacity Block begins"
    return str(group.least) if group.least == group.most else f"{group.least} to {group.most}"


def _planned(group: Group) -> dict[str, Any]:
    pages = {HUGE_PAGES_RESOURCE: f"{group.huge_pages_mib}Mi"} if group.huge_pages_mib else {}
    return {**group.offers, **pages}


def _offered(node: Node, group: Group | None) -> dict[str, Any]:
    """What of the plan it offers; of a node of no group, nothing was planned."""
    offered: dict[str, Any] = {
        resource: whole(node.allocatable.get(resource, "0")) for resource in (group.offers if group else ())
    }
    if group and group.huge_pages_mib:
        offered[HUGE_PAGES_RESOURCE] = f"{mib(node.allocatable.get(HUGE_PAGES_RESOURCE, '0'))}Mi"
    return offered


def _seen(state: GroupState) -> str:
    """What its nodes offer, each different offer once."""
    offers: dict[str, int] = {}
    for node in state.nodes:
        said = _amounts(_offered(node, state.group))
        offers[said] = offers.get(said, 0) + 1
    if len(offers) <= 1:
        return next(iter(offers), "-")
    return "; ".join(f"{number} x {said}" for said, number in sorted(offers.items(), key=lambda item: -item[1]))


def _amounts(amounts: dict[str, Any]) -> str:
    return ", ".join(f"{name} {amount}" for name, amount in amounts.items()) or "-"
