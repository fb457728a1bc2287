"""Removes from an imported description what no description can have, so that the rest is valid."""

from collections.abc import Sequence
from typing import Any

from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.finding import Finding, KeyPath

_MOST_ROUNDS = 200
"""Each round removes the values that one validation refuses. Removing a value can reveal another fault."""
_ABSENT = object()


def remove_refused(data: dict[str, Any]) -> tuple[dict[KeyPath, Finding], list[tuple[KeyPath, Finding]]]:
    """Removes the values of a description that its schema refuses, and blocks in which a required value is missing.

    Returns:
        What it removed, with the reasons; and the faults that are left.
    """
    removed: dict[KeyPath, Finding] = {}
    faults: list[tuple[KeyPath, Finding]] = []
    for _ in range(_MOST_ROUNDS):
        faults = validate(model_of(data), data)[1]
        refused = {path: finding for path, finding in faults if path and is_there(data, path)}
        if not refused:
            refused = {_around(data, path): finding for path, finding in faults[:1]}
            refused.pop((), None)
        if not refused:
            break
        # Of several items of a list, the last one first: the others keep their places.
        for path in sorted(refused, key=_order, reverse=True):
            remove(data, path)
        removed = {**refused, **removed}
    return removed, faults


def _around(data: dict[str, Any], path: KeyPath) -> KeyPath:
    """The smallest block around an absent value."""
    while path and not is_there(data, path):
        path = path[:-1]
    return path


def _order(path: KeyPath) -> list[tuple[int, str]]:
    return [(step, "") if isinstance(step, int) else (0, step) for step in path]


def remove(data: dict[str, Any], path: KeyPath) -> None:
    """Removes the value at a path, which the description has."""
    around: Any = data
    for step in path[:-1]:
        around = around[step]
    del around[path[-1]]


def is_there(data: Any, path: Sequence[str | int]) -> bool:
    """Whether a description has a value at a path."""
    for step in path:
        data = _below(data, step)
    return data is not _ABSENT


def _below(data: Any, step: str | int) -> Any:
    if isinstance(data, dict):
        return data.get(step, _ABSENT)
    is_item = isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data)
    return data[step] if is_item else _ABSENT
