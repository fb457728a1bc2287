"""The text of obstacles: a sentence on one obstacle, and a list of the labels and taints that a node would need."""

from collections.abc import Iterable, Mapping

from muster.scheduling.fit import Obstacle, UnmetAffinity
from muster.scheduling.requirements import Operator, Requirement, Unmet, UnmetTerm
from muster.scheduling.taints import Taint

_MOST_VALUES = 4

_OPERATORS: Mapping[str, str] = {Operator.IN: "in", Operator.NOT_IN: "not in"}
_SIGNS: Mapping[str, str] = {Operator.GREATER_THAN: ">", Operator.LESS_THAN: "<"}


def reason_text(obstacle: Obstacle) -> str:
    """``it requires a node with type=p4``; ``it does not tolerate the taint gpu=true:NoSchedule``."""
    if isinstance(obstacle, Taint):
        return f"it does not tolerate the taint {obstacle}"
    return f"it requires a node with {' and '.join(requirement_texts([obstacle]))}"


def _values_text(requirement: Requirement) -> str:
    """The values of a requirement: all, or the first and how many more there are."""
    listed = [str(each) for each in requirement.values]
    shown = ", ".join(listed[:_MOST_VALUES])
    return f"{shown} and {len(listed) - _MOST_VALUES} more" if len(listed) > _MOST_VALUES else shown


def requirement_texts(unmet: Iterable[Unmet | UnmetAffinity]) -> tuple[str, ...]:
    """The requirements that a node would have to meet: ``type=p4``, ``the label zone``. For an affinity, they are those
    of the term that the node comes closest to meeting."""
    found: list[str] = []
    for each in unmet:
        if isinstance(each, Unmet):
            found.append(f"{each.requirement.key}={each.requirement.values[0]}")
        elif not each.terms:
            found.append("(no term)")
        else:
            nearest: tuple[str, ...] = min(map(_term_texts, each.terms), key=len)
            found += nearest
    return tuple(found)


def _term_texts(term: UnmetTerm) -> tuple[str, ...]:
    if term.empty:
        return ("(a term without requirements)",)
    return tuple(_label_text(each.requirement) for each in (*term.labels, *term.fields))


def _label_text(requirement: Requirement) -> str:
    """``node.kubernetes.io/instance-type in (p5.48xlarge, p5e.48xlarge)``."""
    key, values = requirement.key, _values_text(requirement)
    match requirement.operator:
        case Operator.IN if len(requirement.values) == 1:
            return f"{key}={values}"
        case Operator.IN | Operator.NOT_IN:
            return f"{key} {_OPERATORS[requirement.operator]} ({values})"
        case Operator.EXISTS:
            return f"the label {key}"
        case Operator.DOES_NOT_EXIST:
            return f"no label {key}"
    return f"{key} {_SIGNS.get(requirement.operator, requirement.operator)} {values}"
