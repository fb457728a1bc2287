"""What of a pod's requirements a node does not meet, in words.

The scheduler itself decides; this is to explain what it decided.
"""

from collections.abc import Mapping

from muster.fleet.matching import Json, Term, terms, unselected, values


def unmatched(pod: Json, labels: Mapping[str, str], name: str = "") -> tuple[str, ...]:
    """What of a pod's node selector and required node affinity a node does not meet, in words; none where it may go.

    Args:
        pod: the pod's spec.
        labels: the node's.
        name: the node's, for the terms that DaemonSets' controller writes.
    """
    found = [f"{key}={value}" for key, value in unselected(pod, labels).items()]
    required = terms(pod)
    if required is not None:
        failing = [_unmet(term, labels, name) for term in required]
        if not failing:
            found.append("(no term at all)")
        elif all(failing):  # a term is met by meeting all of it, and one term is enough
            nearest: tuple[str, ...] = min(failing, key=len)
            found += nearest
    return tuple(found)


def _unmet(term: Term, labels: Mapping[str, str], name: str) -> tuple[str, ...]:
    if term.empty:
        return ("(a term that asks for nothing)",)
    unmet = term.unmet(labels, name)
    return tuple(_said(each) for each in (*unmet.labels, *unmet.fields))


def _said(expression: Json) -> str:
    """A requirement in words: ``node.kubernetes.io/instance-type in (p5.48xlarge, p5e.48xlarge)``."""
    key, operator = expression["key"], expression["operator"]
    match operator:
        case "In":
            one = len(expression.get("values") or ()) == 1
            return f"{key}={values(expression)}" if one else f"{key} in ({values(expression)})"
        case "NotIn":
            return f"{key} not in ({values(expression)})"
        case "Exists":
            return f"the label {key}"
        case "DoesNotExist":
            return f"no label {key}"
    return f"{key} {'>' if operator == 'Gt' else '<'} {values(expression)}"


def required_keys(pod: Json) -> frozenset[str]:
    """The label keys that a pod's selector and required affinity speak of."""
    return frozenset(pod.get("nodeSelector") or {}) | {each["key"] for term in terms(pod) or () for each in term.labels}
