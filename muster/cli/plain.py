"""Values of a plan as plain JSON data."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from muster.fleet.unknown import SECRET_WORD, UNKNOWN, UNKNOWN_WORD

__all__ = ["SECRET_WORD", "UNKNOWN_WORD", "plain"]


def plain(value: Any) -> Any:
    """Data that `json.dumps` takes: sets sorted, unknowns as one fixed word, everything else as text."""
    if isinstance(value, Mapping):
        return {str(key): plain(below) for key, below in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(each) for each in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return _word(value)


def _word(value: Any) -> Any:
    if value is UNKNOWN:
        return UNKNOWN_WORD
    if isinstance(value, Enum):
        return value.value
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
