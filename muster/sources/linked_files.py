"""What the resources of several files name of one another: all files of a run are read before any is judged.

Kubernetes objects name others by kind and name, after the conventions of its API: `nodeClassRef: {kind, name}`,
`priorityClassName: NAME`, `clusterQueue: NAME`, `configMap: {name}`; also `launchTemplate: {name}` of AWS.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from muster.finding import Finding, KeyPath, Level
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import LAUNCH_TEMPLATE
from muster.message_text import closest_match, is_misspelling
from muster.plain_data import value_at
from muster.position import Position
from muster.sources.source import Gap, InvalidFile, Source

_KUBERNETES = "kubernetes:"
_OTHER_KEYS = {
    "kueue.x-k8s.io/queue-name": "LocalQueue",
    "kueue.x-k8s.io/priority-class": "WorkloadPriorityClass",
    "flavors": "ResourceFlavor",
}
"""Keys that do not have the name of a kind -> the kind that they name."""
_DEFAULTS = {"runtimeRef": "ClusterTrainingRuntime"}
"""References whose kind has a default."""


class File(NamedTuple):
    """One file that was read."""

    path: Path
    shown: str
    source: Source


class Links(NamedTuple):
    """What a file has to do with the other files."""

    beside: tuple[Registration, ...] = ()
    """The resources of other files that it names, or that name its own."""
    advice: tuple[InvalidFile, ...] = ()
    """Names that are nearly those of a resource."""
    gaps: tuple[Gap, ...] = ()
    """The resources that it names and no file has."""


class _Reference(NamedTuple):
    kind: str
    name: str
    path: KeyPath


class _Resource(NamedTuple):
    file: int
    registered: Registration


def link(files: Sequence[File], read: Iterable[str]) -> list[Links]:
    """What each file has to do with the others.

    Args:
        files: all files of a run.
        read: the types that other resources are judged with: what is missing of others changes no result.
    """
    return _Linked(files, frozenset(map(_kind_of_type, read))).links()


class _Linked:
    """The resources of all files."""

    def __init__(self, files: Sequence[File], read: frozenset[str]) -> None:
        self._files, self._read = files, read
        self._known: dict[str, dict[str, list[_Resource]]] = {}
        for index, file in enumerate(files):
            for each in filter(_has_references, file.source.registrations):
                if name := _name_of(each):
                    named = self._known.setdefault(_kind_of_type(each.type), {}).setdefault(name, [])
                    named.append(_Resource(index, each))

    def links(self) -> list[Links]:
        """The links of each file, in the order of the files."""
        beside: list[dict[str, Registration]] = [{} for _ in self._files]
        advice: list[list[InvalidFile]] = [[] for _ in self._files]
        gaps: list[list[Gap]] = [[] for _ in self._files]
        for index, file in enumerate(self._files):
            for each in filter(_has_references, file.source.registrations):
                for named in _named_by(each):
                    found = self._known.get(named.kind, {}).get(named.name, [])
                    one = self._one_of(found, index)
                    if one is not None and one.file != index:
                        beside[index].setdefault(one.registered.urn, one.registered)
                        beside[one.file].setdefault(each.urn, each)
                    if one is None and not found:
                        advice[index] += self._near(file, each, named)
                    if one is None and each.type.startswith(_KUBERNETES) and named.kind in self._read:
                        what = "which several files have" if found else "which is in no file"
                        label = file.source.label(each.urn) or each.name
                        gaps[index].append(Gap(label, f"{named.kind} {named.name}, {what}"))
        own = ({each.urn for each in file.source.registrations} for file in self._files)
        return [
            Links(tuple(other for urn, other in others.items() if urn not in mine), tuple(said), tuple(missing))
            for others, mine, said, missing in zip(beside, own, advice, gaps, strict=True)
        ]

    def _one_of(self, found: list[_Resource], index: int) -> _Resource | None:
        """The resource that a file means: its own, else the one in the nearest folder. None if several differ."""
        if not found:
            return None
        near = [self._steps(each.file, index) for each in found]
        nearest = [each for each, steps in zip(found, near, strict=True) if steps == max(near)]
        first = nearest[0]
        return first if all(each.registered.inputs == first.registered.inputs for each in nearest) else None

    def _steps(self, one: int, other: int) -> float:
        """How many folders two files share; the most for the same file."""
        pairs = zip(self._files[one].path.parts, self._files[other].path.parts, strict=False)
        shared = takewhile(lambda pair: pair[0] == pair[1], pairs)
        return math.inf if one == other else len(list(shared))

    def _near(self, file: File, named_by: Registration, named: _Reference) -> Iterator[InvalidFile]:
        alike = [each for each in self._known.get(named.kind, ()) if is_misspelling(named.name, each)]
        near = closest_match(named.name, alike)
        if near:
            found = Finding(named_by.urn, "", Level.ADVISORY, "", "", named_by.urn, inside=named.path)
            got = f"no file has the {named.kind} '{named.name}'; did you mean '{near}'?"
            remedy = f"write {near}, if it is not one that the cluster already has"
            yield InvalidFile(file.shown, file.source.place(found) or Position(1, 1), got, remedy, Level.ADVISORY)


def _has_references(resource: Registration) -> bool:
    return (
        resource.type.startswith(_KUBERNETES) or resource.type == LAUNCH_TEMPLATE or "launchTemplate" in resource.inputs
    )


def _kind_of_type(type_: str) -> str:
    return type_.rpartition(":")[2]


def _name_of(resource: Registration) -> str | None:
    path = ("metadata", "name") if resource.type.startswith(_KUBERNETES) else ("name",)
    found = value_at(resource.inputs, *path)
    return found if isinstance(found, str) else None


def _named_by(resource: Registration) -> Iterator[_Reference]:
    """What a resource names. AWS's name others by ids, except launch templates."""
    if resource.type.startswith(_KUBERNETES):
        yield from _references(resource.inputs)
    elif isinstance(name := value_at(resource.inputs, "launchTemplate", "name"), str):
        yield _Reference(_kind_of_type(LAUNCH_TEMPLATE), name, ("launchTemplate", "name"))


def _references(value: Any, path: KeyPath = ()) -> Iterator[_Reference]:
    """What a resource names, with the path of the name."""
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _references(each, (*path, index))
    if not isinstance(value, Mapping):
        return
    for key, each in value.items():
        below = (*path, str(key))
        name = value_at(each, "name")
        if isinstance(each, str) and (kind := _kind_of_key(str(key))):
            yield _Reference(kind, each, below)
        elif isinstance(name, str):
            kind = value_at(each, "kind") or _DEFAULTS.get(str(key)) or _capital(str(key))
            yield _Reference(str(kind), name, (*below, "name"))
        elif key in _OTHER_KEYS and isinstance(each, list):
            named = ((index, value_at(one, "name")) for index, one in enumerate(each))
            yield from (
                _Reference(_OTHER_KEYS[key], one, (*below, at, "name")) for at, one in named if isinstance(one, str)
            )
        yield from _references(each, below)


def _kind_of_key(key: str) -> str | None:
    """The kind whose object a key with a text names. Keys of one word are of anything."""
    if key in _OTHER_KEYS:
        return _OTHER_KEYS[key]
    return _capital(key.removesuffix("Name")) if any(map(str.isupper, key)) else None


def _capital(key: str) -> str:
    return key[:1].upper() + key[1:]
