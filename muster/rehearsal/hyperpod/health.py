"""A HyperPod node's health, as its labels and its taint say it. Pure.

Planned nodes are healthy; those of a group with deep health checks have passed them. What happens to them meanwhile
changes labels and taints alone: the same node, in another state.
"""

from collections.abc import Mapping
from dataclasses import replace

from muster.fleet.hyperpod.health import DEEP_CHECKS, NODE_HEALTH, TAINT, DeepChecks, Health
from muster.fleet.matching import taints
from muster.fleet.resources import Taint
from muster.rehearsal.client import Json
from muster.rehearsal.nodes import PlannedNode


def has_checks(node: PlannedNode) -> bool:
    """Whether deep health checks run on it before any job does: its group has them."""
    return DEEP_CHECKS in _labels(node)


def is_checked(node: PlannedNode) -> bool:
    """Whether they run on it now."""
    return _labels(node).get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS


def checked(node: PlannedNode) -> PlannedNode:
    """The node while its deep health checks run: nobody is placed on it who does not tolerate that."""
    return _in(node, {NODE_HEALTH: Health.CHECKED, DEEP_CHECKS: DeepChecks.IN_PROGRESS}, tainted=True)


def passed(node: PlannedNode) -> PlannedNode:
    """The node once they have ended well."""
    return _in(node, {NODE_HEALTH: Health.SCHEDULABLE, DEEP_CHECKS: DeepChecks.PASSED}, tainted=False)


def to_replace(node: PlannedNode) -> PlannedNode:
    """The node once the health monitoring agent has found a fault of its hardware. Who runs there goes on."""
    return _in(node, {NODE_HEALTH: Health.TO_REPLACE}, tainted=True)


def mended(node: PlannedNode) -> PlannedNode:
    """The node as it was before anything was found on it: what its group could have again."""
    if NODE_HEALTH not in _labels(node):
        return node
    return passed(node) if has_checks(node) else _in(node, {NODE_HEALTH: Health.SCHEDULABLE}, tainted=False)


def _labels(node: PlannedNode) -> Mapping[str, str]:
    found: Mapping[str, str] = node.manifest["metadata"]["labels"]
    return found


def _in(node: PlannedNode, labels: Mapping[str, str], *, tainted: bool) -> PlannedNode:
    metadata, spec = node.manifest["metadata"], node.manifest["spec"]
    others = [each for each in taints(spec) if each != TAINT]
    said = {key: str(value) for key, value in labels.items()}
    manifest = {
        **node.manifest,
        "metadata": {**metadata, "labels": {**metadata["labels"], **said}},
        "spec": {**spec, "taints": [_written(each) for each in (*others, *([TAINT] if tainted else []))]},
    }
    return replace(node, manifest=manifest)


def _written(taint: Taint) -> Json:
    return {"key": taint.key, "value": taint.value, "effect": taint.effect}
