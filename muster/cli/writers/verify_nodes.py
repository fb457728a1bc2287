"""A verification's groups and nodes: planned, joined, ready; what is offered."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.kubernetes_quantity import MIB, format_amount, is_bytes
from muster.size import Size
from muster.verify.expected import Expectations, ExpectedGroup
from muster.verify.observed import ObservedCluster, ObservedNode
from muster.verify.verification import Verification

HEADS = ("group", "instance", "planned", "joined", "ready", "offers of each node, planned")


def groups(verification: Verification) -> list[dict[str, Any]]:
    """Every group, as `muster verify --json` prints it."""
    return [
        {
            "group": state.group.name,
            "instance": state.group.instance,
            "planned": {"min": state.group.least, "start": state.group.start, "max": state.group.most},
            "joined": len(state.nodes),
            "ready": state.ready,
            **({"underDeepHealthChecks": state.checked} if state.group.hyperpod else {}),
            "offers": _written(_planned(state.group)),
        }
        for state in verification.groups
    ]


def nodes(seen: ObservedCluster, expected: Expectations) -> list[dict[str, Any]]:
    """Every node, in the same form."""
    return [
        {
            "name": node.name,
            "group": node.group,
            "instance": node.instance or None,
            "zone": node.zone or None,
            "kubelet": node.kubelet,
            "ready": node.ready,
            "cordoned": node.cordoned,
            "offers": _written(_offered(node, expected.group(node.group))),
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
            f"{state.ready}, {state.checked} under deep health checks" if state.checked else str(state.ready),
            _amounts(_planned(state.group)),
        )
        for state in verification.groups
    ]


def _count(group: ExpectedGroup) -> str:
    if group.waits:
        return "none until its Capacity Block begins"
    return str(group.least) if group.least == group.most else f"{group.least} to {group.most}"


def _planned(group: ExpectedGroup) -> dict[str, int]:
    pages = {HUGE_PAGES_RESOURCE: group.huge_pages_mib * MIB} if group.huge_pages_mib else {}
    return {**group.offers, **pages}


def _offered(node: ObservedNode, group: ExpectedGroup | None) -> dict[str, int]:
    """The planned resources that a node offers; a node without a group has no plan."""
    return {resource: node.offers(resource) for resource in (_planned(group) if group else ())}


def _written(offers: Mapping[str, int]) -> dict[str, int | str]:
    """For programs: pages in mebibytes, as `muster plan --json` has them."""
    return {
        resource: Size(number // MIB).kubernetes if is_bytes(resource) else number
        for resource, number in offers.items()
    }


def _amounts(offers: Mapping[str, int]) -> str:
    return ", ".join(f"{resource} {format_amount(resource, number)}" for resource, number in offers.items()) or "-"
