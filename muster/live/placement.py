"""Why a DaemonSet has no pod on a node: its selector, its affinity, the node's taints. Pure.

Kubernetes, "Assigning Pods to Nodes" and "Taints and Tolerations"; pkg/controller/daemon: the controller asks the same.
"""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Taint
from muster.live.seen import Node

Json = dict[str, Any]

_ALWAYS_TOLERATED = frozenset(
    f"node.kubernetes.io/{what}"
    for what in ("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
)
"""The DaemonSet controller adds these to every pod it makes."""
_TOLERATED_ON_HOST_NETWORK = "node.kubernetes.io/network-unavailable"


def obstacle(node: Node, pods: Json) -> str:
    """Why no pod of this `spec` can be on the node, as far as these decide; empty where nothing keeps it away."""
    for key, value in (pods.get("nodeSelector") or {}).items():
        if node.labels.get(key) != value:
            return f"its nodeSelector asks for {key}={value}, the node {_has(node.labels, key)}"
    affinity = (pods.get("affinity") or {}).get("nodeAffinity") or {}
    terms = (affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}).get("nodeSelectorTerms")
    if terms:
        unmet = [_unmet(node, term) for term in terms]
        if all(unmet):
            return f"its affinity asks for {unmet[0]}"
    stopped = sorted(taint for taint in node.taints if not _tolerated(taint, pods))
    if stopped:
        return f"it does not tolerate the taint {_written(stopped[0])}"
    return ""


def _unmet(node: Node, term: Json) -> str:
    """What of a term the node does not fulfil; an empty term is fulfilled by none."""
    expressions, fields = term.get("matchExpressions") or (), term.get("matchFields") or ()
    if not expressions and not fields:
        return "something no node has (an empty term)"
    for expression in fields:
        if not _fulfilled({"metadata.name": node.name}, expression):
            return f"{_phrase(expression)}"
    for expression in expressions:
        if not _fulfilled(node.labels, expression):
            return f"{_phrase(expression)}, the node {_has(node.labels, expression['key'])}"
    return ""


def _fulfilled(labels: Mapping[str, str], expression: Json) -> bool:
    key, operator, values = expression["key"], expression["operator"], expression.get("values") or []
    held = labels.get(key)
    if operator == "In":
        return held in values
    if operator == "NotIn":
        return held not in values
    if operator == "Exists":
        return held is not None
    if operator == "DoesNotExist":
        return held is None
    try:
        have, wanted = int(str(held)), int(values[0])
    except (ValueError, IndexError):
        return False
    return have > wanted if operator == "Gt" else have < wanted


_MANY = 4


def _phrase(expression: Json) -> str:
    values = [str(each) for each in expression.get("values") or ()]
    listed = ", ".join(values[:_MANY]) + (f" and {len(values) - _MANY} more" if len(values) > _MANY else "")
    words = {"In": "in", "NotIn": "not in", "Exists": "set", "DoesNotExist": "not set", "Gt": "above", "Lt": "below"}
    return " ".join(
        filter(None, (expression["key"], words.get(expression["operator"], expression["operator"]), listed))
    )


def _has(labels: Mapping[str, str], key: str) -> str:
    return f"has {labels[key]}" if key in labels else "has no such label"


def _tolerated(taint: Taint, pods: Json) -> bool:
    if taint.effect not in {"NoSchedule", "NoExecute"} or taint.key in _ALWAYS_TOLERATED:
        return True
    if taint.key == _TOLERATED_ON_HOST_NETWORK and pods.get("hostNetwork"):
        return True
    return any(_tolerates(each, taint) for each in pods.get("tolerations") or ())


def _tolerates(toleration: Json, taint: Taint) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint.effect:
        return False
    exists: bool = toleration.get("operator", "Equal") == "Exists"
    if not toleration.get("key"):
        return exists
    same: bool = toleration["key"] == taint.key
    return same and (exists or (toleration.get("value") or "") == taint.value)


def _written(taint: Taint) -> str:
    return f"{taint.key}{f'={taint.value}' if taint.value else ''}:{taint.effect}"
