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

KEEPS_OFF = frozenset({"NoSchedule", "NoExecute"})
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
        if taint.effect in KEEPS_OFF and not any(tolerates(each, taint) for each in tolerations)
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
            tuple(each for each in self.labels if not met(each, labels)),
            tuple(each for each in self.fields if not met(each, field)),
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


def met(expression: Json, labels: Labels) -> bool:
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


_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")


def _number(text: str | None) -> int | None:
    """What `Gt` and `Lt` compare; None where it is none, as `strconv.ParseInt` has it."""
    number = int(text) if text is not None and _WHOLE.fullmatch(text) else None
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
