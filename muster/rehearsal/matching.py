"""Which nodes a pod may go to, and what keeps it from others: the scheduler's filters on labels and taints, in words.

The scheduler itself decides; this is to explain what it decided. After `k8s.io/component-helpers`,
`scheduling/corev1/helpers.go` and `nodeaffinity/nodeaffinity.go`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

Json = Mapping[str, Any]

_KEEPS_OFF = frozenset({"NoSchedule", "NoExecute"})


def untolerated(pod: Json, taints: Iterable[Json]) -> tuple[Json, ...]:
    """The taints that keep a pod off a node.

    Args:
        pod: the pod's spec.
        taints: the node's.
    """
    tolerations = pod.get("tolerations") or ()
    return tuple(
        taint
        for taint in taints
        if taint.get("effect") in _KEEPS_OFF and not any(_tolerates(each, taint) for each in tolerations)
    )


def _tolerates(toleration: Json, taint: Json) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    operator, key = toleration.get("operator") or "Equal", toleration.get("key") or ""
    if operator == "Exists":
        return key in {"", taint["key"]}
    return bool(key == taint["key"] and (toleration.get("value") or "") == (taint.get("value") or ""))


def unmatched(pod: Json, labels: Mapping[str, str], name: str = "") -> tuple[str, ...]:
    """What of a pod's node selector and required node affinity a node does not meet, in words; none where it may go.

    Args:
        pod: the pod's spec.
        labels: the node's.
        name: the node's, for the terms that DaemonSets' controller writes.
    """
    selector = pod.get("nodeSelector") or {}
    found = [f"{key}={value}" for key, value in selector.items() if labels.get(key) != value]
    terms = _terms(pod)
    if terms is not None:
        failing: list[tuple[str, ...]] = [_term(term, labels, name) for term in terms]
        if not failing:
            found.append("(no term at all)")
        elif all(failing):  # a term is met by meeting all of it, and one term is enough
            found += min(failing, key=len)
    return tuple(found)


def _terms(pod: Json) -> list[Json] | None:
    """The required terms; None where nothing is required."""
    affinity = (pod.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return None if required is None else list(required.get("nodeSelectorTerms") or ())


def _term(term: Json, labels: Mapping[str, str], name: str) -> tuple[str, ...]:
    """What of one term is not met. A term that asks for nothing is met by no node."""
    expressions = list(term.get("matchExpressions") or ())
    fields = list(term.get("matchFields") or ())
    if not expressions and not fields:
        return ("(a term that asks for nothing)",)
    fields_of_node = {"metadata.name": name}
    return (
        *(said(each) for each in expressions if not _met(each, labels)),
        *(said(each) for each in fields if not _met(each, fields_of_node)),
    )


def _met(expression: Json, labels: Mapping[str, str]) -> bool:
    key, operator, values = expression["key"], expression["operator"], expression.get("values") or ()
    has = labels.get(key)
    if operator == "In":
        return has in values
    if operator == "NotIn":
        return has not in values
    if operator == "Exists":
        return has is not None
    if operator == "DoesNotExist":
        return has is None
    try:  # Gt, Lt
        number, bound = int(has or ""), int(next(iter(values)))
    except (ValueError, StopIteration):
        return False
    return number > bound if operator == "Gt" else number < bound


def said(expression: Json) -> str:
    """A requirement in words: ``node.kubernetes.io/instance-type in (p5.48xlarge)``."""
    key, operator, values = expression["key"], expression["operator"], list(expression.get("values") or ())
    if operator == "In":
        return f"{key}={values[0]}" if len(values) == 1 else f"{key} in ({_list(values)})"
    if operator == "NotIn":
        return f"{key} not in ({_list(values)})"
    if operator == "Exists":
        return f"the label {key}"
    if operator == "DoesNotExist":
        return f"no label {key}"
    return f"{key} {'>' if operator == 'Gt' else '<'} {_list(values)}"


_MOST_VALUES = 4


def _list(values: list[str]) -> str:
    shown = ", ".join(values[:_MOST_VALUES])
    return f"{shown} and {len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else shown


def required_keys(pod: Json) -> frozenset[str]:
    """The label keys that a pod's selector and required affinity speak of."""
    expressions = (each for term in _terms(pod) or () for each in term.get("matchExpressions") or ())
    return frozenset(pod.get("nodeSelector") or {}) | {each["key"] for each in expressions}
