"""The nodes of HyperPod's instance groups: that they are HyperPod's, and what it says of their health. Pure.

Deep health checks that run are no fault: they are counted beside the nodes that are ready.
"""

import re
from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.hyperpod.health import DEEP_CHECKS, FAULTS, NODE_HEALTH, DeepChecks, Health
from muster.fleet.hyperpod.operation import REBOOT_NODES, REPLACE_NODES
from muster.live.checks import Deviation
from muster.live.expectations import Group, OfHyperPod
from muster.live.seen import Node

_NAME = re.compile(r"hyperpod-i-[0-9a-f]{8,17}")


def deviations(group: Group, hyperpod: OfHyperPod, node: Node) -> Iterator[Deviation]:
    """What is wrong with one node, but for what holds on any cluster.

    Args:
        group: the group that it is of.
        hyperpod: what HyperPod adds to it.
        node: as it was seen.
    """
    for what in _strange(hyperpod, node):
        remedy = f"see where it comes from; HyperPod's own are listed by `{hyperpod.list_nodes}`"
        yield Deviation("node-of-hyperpod", Level.MANDATORY, group.where, group.where, what, remedy, node.name)
    if ailing := ailment(node):
        what, status = ailing
        remedy = _remedy(hyperpod, status)
        yield Deviation("node-healthy", Level.MANDATORY, group.where, group.where, what, remedy, node.name)


def is_checked(node: Node) -> bool:
    """Whether deep health checks run on it."""
    status = node.labels.get(NODE_HEALTH, Health.CHECKED)
    return node.labels.get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS and status == Health.CHECKED


def _strange(hyperpod: OfHyperPod, node: Node) -> Iterator[str]:
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


def ailment(node: Node) -> tuple[str, str] | None:
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


def _remedy(hyperpod: OfHyperPod, status: str) -> str:
    reboot = status == Health.TO_REBOOT
    if hyperpod.recovers:
        return f"wait until HyperPod has {'rebooted' if reboot else 'replaced'} it; no job is placed there meanwhile"
    command = REBOOT_NODES if reboot else REPLACE_NODES
    return f"`{command}`, for node-recovery is none: HyperPod does nothing by itself, nor by a label"
