"""Values at paths of plain data, parts of which may not be known yet."""

from collections.abc import Mapping
from typing import Any

from muster.unknown import UNKNOWN


def value_at(values: Any, *path: str) -> Any:
    """The value at a path, `UNKNOWN` where something on the way is; None where it, or what should hold it, is not
    there."""
    for key in path:
        if values is UNKNOWN:
            return UNKNOWN
        values = values.get(key) if isinstance(values, Mapping) else None
    return values


def mappings_at(values: Any, *path: str) -> list[Mapping[str, Any]]:
    """The entries of a list at a path; none where no list is there, and none that is no mapping."""
    listed = value_at(values, *path)
    return [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
