"""Why a pod cannot be on a node: its selector, its affinity, the node's taints. Pure.

Kubernetes, "Assigning Pods to Nodes" and "Taints and Tolerations"; pkg/controller/daemon: the controller of DaemonSets
asks the same.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from muster.fleet.matching import Term, terms, unselected, untolerated, values
from muster.fleet.resources import Taint

Json = Mapping[str, Any]


class Node(Protocol):
    """What of a node decides which pods may be on it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def labels(self) -> Mapping[str, str]:
        """All of them."""

    @property
    def taints(self) -> Iterable[Taint]:
        """All of them."""


_ALWAYS_TOLERATED = tuple(
    f"node.kubernetes.io/{what}"
    for what in ("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
)
"""The DaemonSet controller adds these to every pod it makes (`AddOrUpdateDaemonPodTolerations`)."""
_TOLERATED_ON_HOST_NETWORK = "node.kubernetes.io/network-unavailable"


def daemon_pods(pods: Json) -> dict[str, Any]:
    """A DaemonSet's pods: its `spec` with the tolerations that the controller adds."""
    added = (*_ALWAYS_TOLERATED, *((_TOLERATED_ON_HOST_NETWORK,) if pods.get("hostNetwork") else ()))
    own = pods.get("tolerations") or ()
    return {**pods, "tolerations": [*own, *({"key": key, "operator": "Exists"} for key in added)]}


def obstacle(node: Node, pods: Json) -> str:
    """Why no pod of this `spec` can be on the node, as far as these decide; empty where nothing keeps it away.

    A DaemonSet's are to be given as its controller makes them (`daemon_pods`).
    """
    for key, value in unselected(pods, node.labels).items():
        return f"its nodeSelector asks for {key}={value}, the node {_has(node.labels, key)}"
    required = terms(pods)
    if required is not None:
        unmet = [_unmet(node, term) for term in required]
        if all(unmet):
            return f"its affinity asks for {next(iter(unmet), 'something no node has (no term at all)')}"
    for taint in sorted(untolerated(pods, node.taints)):
        return f"it does not tolerate the taint {taint}"
    return ""


def _unmet(node: Node, term: Term) -> str:
    """What of a term the node does not fulfil."""
    if term.empty:
        return "something no node has (an empty term)"
    unmet = term.unmet(node.labels, node.name)
    for expression in unmet.fields:
        return _phrase(expression)
    for expression in unmet.labels:
        return f"{_phrase(expression)}, the node {_has(node.labels, expression['key'])}"
    return ""


def _phrase(expression: Mapping[str, Any]) -> str:
    words = {"In": "in", "NotIn": "not in", "Exists": "set", "DoesNotExist": "not set", "Gt": "above", "Lt": "below"}
    operator = words.get(expression["operator"], expression["operator"])
    return " ".join(filter(None, (expression["key"], operator, values(expression))))


def _has(labels: Mapping[str, str], key: str) -> str:
    return f"has {labels[key]}" if key in labels else "has no such label"
