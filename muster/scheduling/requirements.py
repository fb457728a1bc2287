"""Requirements on labels: the expressions of node affinity, and of label selectors."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, Self

from muster.unknown import UNKNOWN, UnknownType
from muster.whole_number import whole_number


class Labels(Protocol):
    """Labels of a node or a namespace."""

    def get(self, key: str, /) -> str | None | UnknownType:
        """The value; None if the label does not exist."""


class Operator(StrEnum):
    """How a label's value is compared."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GREATER_THAN = "Gt"
    LESS_THAN = "Lt"


class Requirement(NamedTuple):
    """One expression, as it is written."""

    key: str
    operator: str
    """An `Operator`; no label meets a requirement with any other operator."""
    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> Self:
        """Reads an entry of `matchExpressions` or `matchFields`.

        Raises:
            KeyError, TypeError: its format is one that Kubernetes does not accept.
        """
        return cls(written["key"], written["operator"], tuple(written.get("values") or ()))

    def allows(self, value: str | None) -> bool:
        """Whether a label with this value meets it. None means that the label does not exist: then no `In` is met, and
        every `NotIn` is."""
        match self.operator:
            case Operator.IN:
                return value in self.values
            case Operator.NOT_IN:
                return value not in self.values
            case Operator.EXISTS:
                return value is not None
            case Operator.DOES_NOT_EXIST:
                return value is None
            case Operator.GREATER_THAN | Operator.LESS_THAN:
                return self._compares(value)
        return False

    def _compares(self, value: str | None) -> bool:
        number, bound = _number(value), _number(next(iter(self.values), None))
        if number is None or bound is None:
            return False
        return number > bound if self.operator == Operator.GREATER_THAN else number < bound

    def unmet(self, labels: Labels) -> "tuple[Unmet, ...]":
        """The requirement with the value that it does not allow, or that is unknown; empty if it is met."""
        value = labels.get(self.key)
        return () if value is not UNKNOWN and self.allows(value) else (Unmet(self, value),)


def _number(text: str | None) -> int | None:
    """The 64-bit integer that `Gt` and `Lt` compare, as `strconv.ParseInt` reads it; None if the text is not one."""
    number = whole_number(text, digits=19)
    return number if number is not None and -(2**63) <= number < 2**63 else None


class Unmet(NamedTuple):
    """A requirement that is not met, or may not be."""

    requirement: Requirement
    value: str | None | UnknownType
    """The value of the label; None if the label does not exist."""

    @property
    def certain(self) -> bool:
        """Whether it is certain that it is not met: the value is known."""
        return self.value is not UNKNOWN


Requirements = tuple[Requirement, ...]
"""Requirements that a node must all meet. The intersection of two is both, one after the other."""


def requirements_of(labels: Mapping[str, str]) -> Requirements:
    """Requires each of these labels with its value: a node selector, or the `matchLabels` of a label selector."""
    return tuple(Requirement(key, Operator.IN, (value,)) for key, value in labels.items())


def unmet_of(requirements: Iterable[Requirement], labels: Labels) -> tuple[Unmet, ...]:
    """The requirements that the labels do not meet, or may not meet."""
    return tuple(unmet for each in requirements for unmet in each.unmet(labels))


NODE_NAME = "metadata.name"
"""The one field that a term may require."""


class Term(NamedTuple):
    """One of the alternatives of a required node affinity. If it has no requirements, no node meets it."""

    labels: Requirements = ()
    fields: Requirements = ()
    """Requirements on the node's name. The DaemonSet controller adds one to the pods that it creates."""

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> Self:
        """Reads an entry of `nodeSelectorTerms`.

        Raises:
            KeyError, TypeError: its format is one that Kubernetes does not accept.
        """
        return cls(
            tuple(map(Requirement.of, written.get("matchExpressions") or ())),
            tuple(map(Requirement.of, written.get("matchFields") or ())),
        )

    @property
    def empty(self) -> bool:
        """Whether it requires nothing."""
        return not self.labels and not self.fields

    def unmet(self, labels: Labels, name: str | UnknownType) -> "UnmetTerm | None":
        """The part of it that a node with these labels and this name does not meet, or may not meet; None if the node
        meets all of it."""
        found = UnmetTerm(unmet_of(self.labels, labels), unmet_of(self.fields, {NODE_NAME: name}))
        return found if self.empty or found.labels or found.fields else None


class UnmetTerm(NamedTuple):
    """The part of a term that a node does not meet; empty for an empty term."""

    labels: tuple[Unmet, ...] = ()
    fields: tuple[Unmet, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the term requires nothing."""
        return not self.labels and not self.fields

    @property
    def certain(self) -> bool:
        """Whether it is certain that the node does not meet the term."""
        return self.empty or any(each.certain for each in (*self.labels, *self.fields))
