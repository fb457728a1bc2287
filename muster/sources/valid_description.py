"""Removes from an imported description what no description can have, so that the rest is valid."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from muster.config.description.root import model_of
from muster.config.document import Position
from muster.config.validation import validate
from muster.finding import Finding, KeyPath
from muster.sources.source import ImportedDescription, LeftOut

_MOST_ROUNDS = 20
"""Each round removes the values that one validation refuses. Removing a value can reveal another fault."""


def valid_description(
    imported: ImportedDescription,
) -> tuple[ImportedDescription, tuple[tuple[KeyPath, Finding], ...]]:
    """The description without the values that its schema refuses, and the faults that are left.

    Each removed value is in `left_out`. Faults are left if a required value is missing or refused.
    """
    data: dict[str, Any] = deepcopy(dict(imported.cluster))
    removed: dict[KeyPath, Finding] = {}
    faults: list[tuple[KeyPath, Finding]] = []
    for _ in range(_MOST_ROUNDS):
        faults = validate(model_of(data), data)[1]
        refused = {path: finding for path, finding in faults if _remove(data, path)}
        removed |= refused
        if not refused:
            break
    # A required value that was refused is now missing: its first fault says more.
    left = tuple((path, removed.pop(path, finding)) for path, finding in faults)
    found = (LeftOut(finding.where, Position(1, 1), finding.got) for finding in removed.values())
    placeholders = tuple(_still_there(data, imported.placeholders))
    return replace(imported, cluster=data, left_out=(*imported.left_out, *found), placeholders=placeholders), left


def _remove(data: Any, path: KeyPath) -> bool:
    """Removes the value at a path; False if there is none, or if it is the whole description."""
    if not path:
        return False
    for step in path[:-1]:
        data = _value(data, step)
    if isinstance(data, dict) and path[-1] in data:
        del data[path[-1]]
        return True
    if isinstance(data, list) and isinstance(path[-1], int) and path[-1] < len(data):
        del data[path[-1]]
        return True
    return False


def _value(data: Any, step: str | int) -> Any:
    if isinstance(data, dict):
        return data.get(step)
    return data[step] if isinstance(data, list) and isinstance(step, int) and step < len(data) else None


def _still_there(data: Any, paths: tuple[str, ...]) -> Iterator[str]:
    for path in paths:
        here = data
        for step in path.split("."):
            here = _value(here, step)
        if here is not None:
            yield path
