"""Reads `replacing_inputs.csv`: the inputs whose change has a provider delete a resource and make another.

Only of the types that Muster registers, and of those only what a program may say. Each row names who says so:
``cloudformation TYPE`` is what AWS publishes as create-only (a test derives it again), a file of a provider's source is
where it forces a new resource, ``names`` is what an id is made of, ``documented`` is a provider's own page.
`tools/replacing_inputs.py` compares the table with the providers' schemas where these are at hand.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from muster.fleet.unknown import UNKNOWN

KUBERNETES = "kubernetes:"
EVERY_OBJECT = "kubernetes:*"
"""The row of what replaces every Kubernetes object."""


class When(StrEnum):
    """Which change of an input replaces."""

    CHANGED = "changed"
    LOWERED = "lowered"
    """A number, or a version as text, that goes down; up it goes in place."""
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Replacing:
    """One input of a type."""

    input: str
    """``launchTemplate.id``: dotted below the resource's inputs, as the engine names them."""
    when: When
    source: str

    def by(self, before: Any, after: Any) -> bool:
        """Whether such a change replaces. What only AWS knows counts as another value."""
        if self.when is When.REMOVED:
            return before is not None and after is None
        if self.when is When.LOWERED:
            return _lowered(before, after)
        return after is UNKNOWN or before != after


def replacing(type_: str) -> tuple[Replacing, ...]:
    """The inputs of a type that replace it. Kubernetes objects of any kind have those of every object."""
    own = _table().get(type_, ())
    return (*_table()[EVERY_OBJECT], *own) if _is_object(type_) else own


def known_types() -> frozenset[str]:
    """The types that the table speaks of, also to say that nothing replaces them."""
    return frozenset(_table())


def _is_object(type_: str) -> bool:
    """Helm's releases are none: they have a name, and no metadata."""
    return type_.startswith(KUBERNETES) and not type_.startswith("kubernetes:helm.sh/") and type_ != EVERY_OBJECT


@cache
def _table() -> Mapping[str, tuple[Replacing, ...]]:
    text = (files("muster.fleet") / "replacing_inputs.csv").read_text(encoding="utf-8")
    table: dict[str, list[Replacing]] = {}
    for row in csv.DictReader(text.splitlines()):
        found = table.setdefault(row["type"], [])
        if row["input"]:
            found.append(Replacing(row["input"], When(row["when"]), row["source"]))
    return {type_: tuple(found) for type_, found in table.items()}


def _lowered(before: Any, after: Any) -> bool:
    """What was left out decides nothing; what is not known yet may be lower."""
    if before is None or after is None or before == after:
        return False
    if UNKNOWN in (before, after):
        return True
    low, high = (tuple(_numbers(value)) for value in (after, before))
    return low < high


def _numbers(value: Any) -> Iterator[float]:
    parts: Iterable[str] = str(value).split(".") if isinstance(value, str) else (str(value),)
    yield from (float(part) for part in parts)
