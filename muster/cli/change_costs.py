"""What changing each thing that a description says would cost on a live cluster."""

from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from muster.fleet.description import Change, change_cost
from muster.fleet.description.part import Part

LEGEND: Mapping[Change, str] = {
    Change.NOTHING: "tells Muster about the world; no resource carries it",
    Change.IN_PLACE: "changed on the live cluster, nothing restarts",
    Change.DRAINS: "nodes are drained and replaced, one at a time in each group",
    Change.REPLACES: "what carries it is deleted and made anew",
}
"""From the cheapest to the dearest."""


def by_cost(described: Part) -> dict[Change, list[str]]:
    """Cost -> what is in the description, as dotted paths; names of groups and the like become ``*``.

    A block whose keys all cost what the block itself costs is told as one.
    """
    costs: dict[Change, list[str]] = {change: [] for change in LEGEND}
    for path, cost in dict.fromkeys(_costs(described, "")):
        costs[cost].append(path)
    return {change: sorted(paths) for change, paths in costs.items() if paths}


def _costs(part: Part, at: str) -> Iterator[tuple[str, Change]]:
    for name in type(part).model_fields:
        if name not in part.model_fields_set:
            continue
        cost = change_cost(type(part), name)
        assert cost is not None, "a test sees to it that every field says what changing it costs"
        path = f"{at}.{_key(part, name)}" if at else _key(part, name)
        below = [each for block, inner in _blocks(getattr(part, name), path) for each in _costs(block, inner)]
        if all(inner is cost for _, inner in below):
            yield path, cost
        else:
            yield from below


def _key(part: BaseModel, name: str) -> str:
    return type(part).model_fields[name].alias or name


def _blocks(value: object, path: str) -> Iterator[tuple[Part, str]]:
    """The blocks in a value, each with the path it is told at."""
    if isinstance(value, Part):
        yield value, path
    elif isinstance(value, Mapping):
        yield from ((each, f"{path}.*") for each in value.values() if isinstance(each, Part))
    elif isinstance(value, tuple):
        yield from ((each, f"{path}[*]") for each in value if isinstance(each, Part))
