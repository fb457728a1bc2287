"""Values of a plan as plain JSON data."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from muster.fleet.unknown import UNKNOWN

UNKNOWN_WORD = "[unknown]"
"""What stands for a value that only AWS can give."""


def plain(value: Any) -> Any:
    """Data that `json.dumps` takes: sets sorted, unknowns as one fixed word, everything else as text."""
    if value is UNKNOWN:
        return UNKNOWN_WORD
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(below) for key, below in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(each) for each in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return str(value)
