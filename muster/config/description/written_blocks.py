"""Blocks of a document as it is written: what checks of several keys read, whatever else is wrong in it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from muster.finding import KeyPath
from muster.hardware.catalogue import Hardware, UnknownInstance, hardware

Fault = tuple[KeyPath, str, str]
"""Where, what is wrong, what to do."""
Check = Callable[[Mapping[Any, Any]], Iterator[Fault]]


def block(raw: Mapping[Any, Any], *path: Any) -> Mapping[Any, Any]:
    """The block at a path of a document; empty if there is none."""
    found: Any = raw
    for step in path:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def blocks(raw: Mapping[Any, Any], *path: Any) -> dict[Any, Mapping[Any, Any]]:
    """The named blocks at a path of a document."""
    return {name: each for name, each in block(raw, *path).items() if isinstance(each, Mapping)}


def machine_of(group: object) -> Hardware | None:
    """The machine of a group's instance type; None if it is not known."""
    try:
        return hardware(str(group["instance"])) if isinstance(group, Mapping) else None
    except (KeyError, UnknownInstance):
        return None
