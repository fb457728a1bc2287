"""The value that a preview does not know yet."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal


class Unknown(Enum):
    """One member: a property whose value exists only after the engine created the resource.

    It is not ``None``: ``None`` says "not set", which a rule may judge; unknown may only be "not evaluated".
    """

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("an unknown value is neither true nor false: test `is UNKNOWN` first")


UNKNOWN: Final = Unknown.UNKNOWN
UnknownType = Literal[Unknown.UNKNOWN]


def has_unknown(value: Any) -> bool:
    """Whether a part of plain data is unknown, or the whole is."""
    if isinstance(value, Mapping):
        return any(has_unknown(each) for each in value.values())
    return any(has_unknown(each) for each in value) if isinstance(value, list) else value is UNKNOWN


UNKNOWN_WORD = "[unknown]"
"""What stands for it in what is printed: Muster's plans, and the engine's previews."""
SECRET_WORD = "[secret]"  # noqa: S105  (the word itself)
"""What stands there for a value that is marked secret."""
