"""Which nodes a pod may go to: the scheduler's filters on labels and taints. What keeps it off a node is handed back,
for whoever says it in words.

After `k8s.io/component-helpers`, `scheduling/corev1/helpers.go` and `nodeaffinity/nodeaffinity.go`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from muster.fleet.resources import Taint

Json = Mapping[str, Any]

BLOCKING_EFFECTS = frozenset({"NoSchedule", "NoExecute"})
"""Effects that keep pods off; the third, PreferNoSchedule, is a wish."""

_NODE_NAME = "metadata.name"
"""The one field that a term may ask for: the DaemonSet controller writes it into the pods it makes."""


class Labels(Protocol):
    """Labels of something; who does not know them all may raise."""

    def get(self, key: str, /) -> str | None:
        """The value; None where there is no such label."""


def taints(node_spec: Json) -> tuple[Taint, ...]:
    """The taints of a node, in the order its spec lists them."""
    return tuple(
        Taint(each["key"], each.get("value") or "", each.get("effect") or "") for each in node_spec.get("taints") or ()
    )


def tolerates(toleration: Json, taint: Taint) -> bool:
    """Whether a toleration takes a taint: what it leaves out takes all, but for the value."""
    if toleration.get("effect") and toleration["effect"] != taint.effect:
        return False
    key, exists = toleration.get("key") or "", toleration.get("operator") == "Exists"
    if not key:
        return exists
    return bool(key == taint.key and (exists or (toleration.get("value") or "") == taint.value))


def untolerated(pod: Json, taints: Iterable[Taint]) -> tuple[Taint, ...]:
    """The taints that keep a pod off a node.

    Args:
        pod: the pod's spec.
        taints: the node's.
    """
    tolerations = pod.get("tolerations") or ()
    return tuple(
        taint
        for taint in taints
        if taint.effect in BLOCKING_EFFECTS and not any(tolerates(each, taint) for each in tolerations)
    )


def unselected(pod: Json, labels: Labels) -> dict[str, str]:
    """What of a pod's node selector a node does not carry."""
    return {key: value for key, value in (pod.get("nodeSelector") or {}).items() if labels.get(key) != value}


@dataclass(frozen=True, slots=True)
class Term:
    """One of the alternatives that a pod's required node affinity names, or what of it a node does not meet."""

    labels: tuple[Json, ...] = ()
    """What it asks of the node's labels: all of it must hold."""
    fields: tuple[Json, ...] = ()
    """What it asks of the node's name, likewise."""

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing; the scheduler lets no node meet such a term."""
        return not self.labels and not self.fields

    def unmet(self, labels: Labels, name: str) -> "Term":
        """What of it a node of these labels and this name does not meet; empty where it meets all."""
        field = {_NODE_NAME: name}
        return Term(
            tuple(each for each in self.labels if not matches_expression(each, labels)),
            tuple(each for each in self.fields if not matches_expression(each, field)),
        )


def terms(pod: Json) -> tuple[Term, ...] | None:
    """The terms of a pod's required node affinity, of which one must be met; None where nothing is required."""
    affinity = (pod.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return None
    return tuple(
        Term(tuple(each.get("matchExpressions") or ()), tuple(each.get("matchFields") or ()))
        for each in required.get("nodeSelectorTerms") or ()
    )


def matches_expression(expression: Json, labels: Labels) -> bool:
    """Whether labels meet one expression. A label that is missing is in no list, and so in every `NotIn`."""
    held, operator, values = labels.get(expression["key"]), expression["operator"], expression.get("values") or ()
    match operator:
        case "In":
            return held in values
        case "NotIn":
            return held not in values
        case "Exists":
            return held is not None
        case "DoesNotExist":
            return held is None
    number, bound = _number(held), _number(next(iter(values), None))
    if number is None or bound is None:
        return False
    return number > bound if operator == "Gt" else number < bound


_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")


def _number(text: str | None) -> int | None:
    """What `Gt` and `Lt` compare; None where it is none, as `strconv.ParseInt` has it."""
    number = int(text) if text is not None and _INTEGER.fullmatch(text) else None
    return number if number is not None and -(2**63) <= number < 2**63 else None


def node_named(pod: Json) -> str:
    """The node whose name its affinity asks for, as in every pod of a DaemonSet; empty where it asks for none."""
    fields = (field for term in terms(pod) or () for field in term.fields if field["key"] == _NODE_NAME)
    return next((field["values"][0] for field in fields if field.get("values")), "")


_MOST_VALUES = 4


def values(expression: Json) -> str:
    """The values of an expression in words: all, or the first and how many more there are."""
    listed = [str(each) for each in expression.get("values") or ()]
    shown = ", ".join(listed[:_MOST_VALUES])
    return f"{shown} and {len(listed) - _MOST_VALUES} more" if len(listed) > _MOST_VALUES else shown


# Why a pod cannot be on a node: its selector, its affinity, the node's taints. Pure.
#
# Kubernetes, "Assigning Pods to Nodes" and "Taints and Tolerations"; pkg/controller/daemon: the controller of
# DaemonSets asks the same.


class SchedulableNode(Protocol):
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


def unschedulable_reason(node: SchedulableNode, pods: Json) -> str:
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


def _unmet(node: SchedulableNode, term: Term) -> str:
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
