"""Reads `catalogue/chart_values.json`: the keys that the values of charts have.

`tools/chart_values.py` writes it from the charts' sources. Helm ignores a key that the chart does not read.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class ChartKeys:
    """The keys of one chart's values."""

    version: str
    """The chart's, as it was read."""
    tags: Mapping[str, str]
    """Path of an image's tag among the values, with dots -> the chart's own."""
    keys: Mapping[str, Any]
    """Key -> the keys below it; None where any key may be below it."""

    def is_of(self, version: object) -> bool:
        """Whether they are of exactly this version of the chart, written with or without a v."""
        return isinstance(version, str) and version.removeprefix("v") == self.version.removeprefix("v")

    def unknown(self, values: Mapping[str, Any]) -> Iterator["UnknownKey"]:
        """The keys of values that the chart does not have, in their order."""
        yield from _unknown(self.keys, values, ())

    def paths_ending_in(self, key: str) -> tuple[str, ...]:
        """The paths of the keys of this name, with dots."""
        return tuple(".".join(path) for path in _paths(self.keys, ()) if path[-1] == key)


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key that a chart does not have."""

    path: tuple[str, ...]
    siblings: tuple[str, ...]
    """The keys that the chart has beside it."""


def chart_keys(chart: str) -> ChartKeys | None:
    """The keys of a chart's values; None where the table does not have the chart."""
    return _table().get(chart)


@cache
def _table() -> Mapping[str, ChartKeys]:
    text = (files("muster.addons.catalogue") / "chart_values.json").read_text()
    return {name: ChartKeys(entry["version"], entry["tags"], entry["keys"]) for name, entry in json.loads(text).items()}


def _unknown(keys: Mapping[str, Any], values: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[UnknownKey]:
    for key, value in values.items():
        path = (*above, str(key))
        if key not in keys:
            yield UnknownKey(path, tuple(keys))
        elif keys[key] is not None and isinstance(value, Mapping):
            yield from _unknown(keys[key], value, path)


def _paths(keys: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for key, below in keys.items():
        yield (*above, key)
        yield from _paths(below or {}, (*above, key))
