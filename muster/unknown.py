"""The value that a preview does not know yet."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal, Never, Union, get_args, get_origin

from typing_extensions import TypeVar


class Unknown(Enum):
    """One member: a property whose value exists only after the engine created the resource.

    It is not ``None``: ``None`` means "not set", which a rule may judge; unknown may only be "not evaluated".
    """

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("an unknown value is neither true nor false: test `is UNKNOWN` first")


UNKNOWN: Final = Unknown.UNKNOWN
UnknownType = Literal[Unknown.UNKNOWN]

U = TypeVar("U", bound=UnknownType, covariant=True, default=UnknownType)  # noqa: PLC0105  (a field's type names it)
"""What a value may be beside a known one. A bare `NodeGroup` is observed: any value may be unknown."""
Derived = Never
"""`NodeGroup[Derived]` is what Muster derives of a description: every value is known."""


def may_be_unknown(hint: Any) -> bool:
    """Whether a field of this type may be unknown."""
    return get_origin(hint) is Union and not {U, UnknownType}.isdisjoint(get_args(hint))


def has_unknown(value: Any) -> bool:
    """Whether a part of plain data is unknown, or the whole is."""
    if isinstance(value, Mapping):
        return any(map(has_unknown, value.values()))
    return any(map(has_unknown, value)) if isinstance(value, list | tuple) else value is UNKNOWN


UNKNOWN_WORD = "[unknown]"
"""How it is printed: in Muster's plans, and in the engine's previews."""
SECRET_WORD = "[secret]"  # noqa: S105  (the word itself)
"""How a secret value is printed there."""
