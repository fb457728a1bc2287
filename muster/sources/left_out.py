"""What a file has and its description does not: each input without a place in it, each other resource, and what its
schema refuses."""

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from muster.config.description.root import model_of
from muster.config.document import value_at
from muster.config.validation import validate
from muster.finding import Finding, KeyPath, Level, dotted_path
from muster.fleet.registration import EXISTING
from muster.fleet.resources.ref import CAPACITY_RESERVATION, CLOUDFORMATION_STACK
from muster.hardware.tables import read_text
from muster.position import Position
from muster.sources.source import InputFile, LeftOut, Source
from muster.unknown import UNKNOWN

_KEPT: Mapping[str, list[str]] = json.loads(read_text("kept.json", "muster.sources"))
"""Type -> the inputs that a description has, or that a stack creates in its own way; also the keys of a ParallelCluster
configuration, and of a ClusterConfig, where those of managed groups apply to self-managed ones too."""
_CONFIGURATION = "ClusterConfiguration"
_WHY = "init does not bring it over"


def place_of(source: Source, urn: str, inside: KeyPath = ()) -> Position:
    """The position of a resource, or of a block of it."""
    return source.place(Finding(urn, "", Level.ADVISORY, "", "", urn, inside=inside)) or Position(1, 1)


def _keys_of_eksctl(file: InputFile) -> Iterator[LeftOut]:
    """One line for each key of a ClusterConfig without a place in a description. eksctl itself makes resources of many
    more inputs, which nobody wrote."""
    kept = _steps("eksctl")
    kept += [("nodeGroups", *each[1:]) for each in kept if each[0] == "managedNodeGroups"]
    for index, document in enumerate(file.documents):
        if isinstance(document, Mapping) and str(document.get("apiVersion")).startswith("eksctl.io/"):
            for path in _rest(document, kept, ()):
                yield LeftOut(dotted_path(path), file.position(path, index), _WHY)


def rest_of(file: InputFile, source: Source, kept: list[KeyPath]) -> Iterator[LeftOut]:
    """One line for each input without a place in a description, and for the other resources of each type.

    Args:
        file: the file.
        source: its resources.
        kept: ways to values of a ParallelCluster configuration that the description has.
    """
    if of_eksctl := [*_keys_of_eksctl(file)]:
        yield from of_eksctl
        return
    others: dict[str, list[str]] = {}
    for each in source.registrations:
        if not each.custom or each.options.get(EXISTING):
            continue
        if each.type == CLOUDFORMATION_STACK and (configuration := _configuration(each.inputs)):
            paths = _rest(configuration, [*_steps("ParallelCluster"), *kept], ())
        elif each.type in _KEPT:
            paths = _rest(each.inputs, _steps(each.type), ())
        else:
            others.setdefault(each.type, []).append(each.urn)
            continue
        for path in paths:
            keys = tuple(source.terms.key(step) if isinstance(step, str) else step for step in path)
            shown = ".".join(filter(None, (source.label(each.urn), dotted_path(keys))))
            yield LeftOut(shown, place_of(source, each.urn, path), _WHY)
    reservations = others.get(CAPACITY_RESERVATION, ())
    for urns in others.values():
        more = f" (and {len(urns) - 1} more like it)" if len(urns) > 1 else ""
        why = "a stack names it by its id" if urns[0] in reservations else "a stack creates its own"
        yield LeftOut(source.label(urns[0]) or urns[0], place_of(source, urns[0]), f"{why}{more}")


def gaps_of(source: Source, kept: list[KeyPath]) -> Iterator[LeftOut]:
    """One line for each part of the file that no rule evaluates, and that the description does not have either."""
    brought = {dotted_path(path[:end]) for path in kept for end in range(1, len(path) + 1)}
    for gap in source.gaps:
        if gap.where in brought:
            continue
        where = source.label(gap.where) or gap.where if gap.where.startswith("urn:") else gap.where
        yield LeftOut(where, place_of(source, ""), gap.missing)


def configuration_of(source: Source) -> Any:
    """The configuration of ParallelCluster that a file has; None if it has none."""
    stacks = (each.inputs for each in source.registrations if each.type == CLOUDFORMATION_STACK)
    return next((found for found in map(_configuration, stacks) if found is not None), None)


def _configuration(stack: Mapping[str, Any]) -> Any:
    """The configuration of ParallelCluster in a stack's template."""
    resources = value_at(stack, ("templateBody", "Resources"))
    listed = resources.values() if isinstance(resources, Mapping) else ()
    found = (value_at(each, ("Properties", _CONFIGURATION)) for each in listed)
    return next((each for each in found if isinstance(each, Mapping)), None)


def _steps(kind: str) -> list[tuple[str, ...]]:
    return [tuple(each.split(".")) for each in _KEPT[kind]]


def _rest(value: Any, kept: Sequence[KeyPath], path: KeyPath) -> Iterator[KeyPath]:
    """The largest parts below a value that none of the paths has."""
    if value is None or value is UNKNOWN or value in ({}, []) or () in kept:
        return
    if not kept:
        yield path
        return
    steps = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        below = [one[1:] for one in kept if str(one[0]) in ("*", str(step))]
        yield from _rest(each, below, (*path, step))


_LARGEST = 2**63 - 1


def writable(value: Any) -> Any:
    """A block without what no stack file has: absent and unknown values, and whole numbers with more than 64 bits."""
    if isinstance(value, Mapping):
        made = {key: writable(each) for key, each in value.items()}
        return {key: each for key, each in made.items() if each is not None}
    if isinstance(value, list):
        return [writable(each) for each in value if each is not UNKNOWN]
    return None if value is UNKNOWN or (isinstance(value, int) and abs(value) > _LARGEST) else value


_MOST_ROUNDS = 200
"""Each round removes the values that one validation refuses. Removing a value can reveal another fault."""


def remove_refused(data: dict[str, Any]) -> tuple[dict[KeyPath, Finding], list[tuple[KeyPath, Finding]]]:
    """Removes the values of a description that its schema refuses, and blocks in which a required value is missing.

    Returns:
        What it removed, with the reasons; and the faults that are left.
    """
    removed: dict[KeyPath, Finding] = {}
    faults: list[tuple[KeyPath, Finding]] = []
    for _ in range(_MOST_ROUNDS):
        faults = validate(model_of(data), data)[1]
        refused = {path: finding for path, finding in faults if path and value_at(data, path) is not None}
        if not refused:
            refused = {_around(data, path): finding for path, finding in faults[:1]}
            refused.pop((), None)
        if not refused:
            break
        # Of several items of a list, the last one first: the others keep their places.
        for path in sorted(refused, key=_order, reverse=True):
            del value_at(data, path[:-1])[path[-1]]
        removed = {**refused, **removed}
    return removed, faults


def _around(data: dict[str, Any], path: KeyPath) -> KeyPath:
    """The smallest block around an absent value."""
    while path and value_at(data, path) is None:
        path = path[:-1]
    return path


def _order(path: KeyPath) -> list[tuple[int, str]]:
    return [(step, "") if isinstance(step, int) else (0, step) for step in path]


def name_of(thing: Any, taken: Container[str], longest: int) -> str:
    """A name of a description: lower case, with letters, digits and dashes, and each only once. Modules of Terraform
    name their only resource `this`: then it is the key of the module."""
    given = getattr(thing, "name", None)
    text = given if isinstance(given, str) and given else thing.ref.name
    last, keys = text.rpartition(".")[2], re.findall(r'\["([^"]+)"\]', text)
    return plain_name(keys[-1] if keys and last.startswith("this") else last, taken, longest)


def plain_name(text: str, taken: Container[str], longest: int) -> str:
    """A text as a name of a description."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "group"
    plain = plain if plain[0].isalpha() else f"g-{plain}"
    name, number = plain[:longest].strip("-"), 2
    while name in taken:
        name, number = f"{plain[: longest - 4].strip('-')}-{number}", number + 1
    return name
