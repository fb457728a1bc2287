"""Keys of a file that the published schema of its format does not have.

A misspelled key, and one that the schema has at another level, are mandatory: the tool refuses them, or does without.
Any other may be newer than the schema: one finding advises to look at all of them. What counts as misspelled or at
another level was tried with the 130 keys that newer versions of ParallelCluster (3.1 to 3.16) and of the types of
CloudFormation that Muster reads (2024 to 2026) brought: it takes few of them for another.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.finding import KeyPath, Level, dotted_path
from muster.message_text import closest_match, did_you_mean, is_misspelling, list_names
from muster.sources.source import InputFile, InvalidFile
from muster.unknown import UNKNOWN

Blocks = Mapping[str, Mapping[str, str]]
"""Block -> key -> kind, as in `keys.json`."""

_MOST = 100
"""Unknown keys of a document that are compared with the known ones."""


@dataclass(frozen=True, slots=True)
class Place:
    """A block of the document."""

    block: str
    """Its name in the table."""
    path: KeyPath
    values: Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key that its block does not have."""

    key: str
    value: Any
    around: tuple[Place, ...]
    """The blocks that it is in, the outermost first."""
    blocks: Blocks

    @property
    def path(self) -> KeyPath:
        """Its path in the document."""
        return (*self.around[-1].path, self.key)


class UnknownKeys:
    """The unknown keys of a document."""

    def __init__(self, file: InputFile, tool: str, document: int = 0) -> None:
        """Prepares it.

        Args:
            file: the file.
            tool: the tool that reads the file, in words.
            document: the number of the document in the file.
        """
        self._file, self._tool, self._document = file, tool, document
        self._found: list[UnknownKey] = []
        self._places: list[tuple[Place, ...]] = []

    def search(self, value: Any, kind: str, blocks: Blocks, path: KeyPath = (), around: tuple[Place, ...] = ()) -> None:
        """Searches a part of the document. A value of another kind has no keys, and a function of CloudFormation only
        those of the values that it chooses from.

        Args:
            value: the part.
            kind: its kind.
            blocks: the keys of the format.
            path: its path in the document.
            around: the blocks that it is in.
        """
        listed, _, mapped = kind.partition("|")
        kind = mapped if mapped and isinstance(value, Mapping) else listed
        if not isinstance(value, Mapping) or kind not in blocks or _functions(value):
            for steps, each, below in _inside(value, kind):
                self.search(each, below, blocks, (*path, *steps), around)
            return
        within = (*around, Place(kind, path, value))
        self._places.append(within)
        for key, each in value.items():
            if key in blocks[kind]:
                self.search(each, blocks[kind][key], blocks, (*path, key), within)
            else:
                self._found.append(UnknownKey(str(key), each, within, blocks))

    def faults(self) -> Iterator[InvalidFile]:
        """The findings about the keys."""
        others: dict[KeyPath, str] = {}
        for each in self._found[:_MOST]:
            here = each.around[-1]
            got = f"{self._tool} does not know {dotted_path(each.path)}"
            near = [key for key in each.blocks[here.block] if is_misspelling(each.key, key)]
            meant = closest_match(each.key, near) or next(iter(near), None)
            if meant and meant not in here.values:
                yield self._fault(each.path, f"{got}; did you mean '{meant}'?", f"write {meant}")
            elif home := _home(each, self._places):
                yield self._fault(each.path, f"{got}: {each.key} is a key of {home}", f"move it to {home}")
            else:
                others[each.path] = did_you_mean(each.key, each.blocks[here.block])
        others |= {each.path: "" for each in self._found[_MOST:]}
        if others:
            listed = list_names(f"{dotted_path(path)}{hint}" for path, hint in others.items())
            got = f"Muster does not know these keys of {self._tool}, and evaluates none of them: {listed}"
            remedy = "correct their spelling; leave out what the tool does not have"
            yield self._fault(next(iter(others)), got, remedy, Level.ADVISORY)

    def _fault(self, path: KeyPath, got: str, remedy: str, level: Level = Level.MANDATORY) -> InvalidFile:
        return self._file.fault(path, got, remedy, self._document, level)


_IF = "Fn::If"


def _functions(value: Mapping[Any, Any]) -> list[Any]:
    """The functions of CloudFormation in a block."""
    return [key for key in value if key == "Ref" or str(key).startswith("Fn::")]


def _inside(value: Any, kind: str) -> Iterator[tuple[KeyPath, Any, str]]:
    """The items of a list, the values of a map, and those that a function chooses from, each with the way to it and its
    kind."""
    if isinstance(value, list):
        yield from (((index,), each, kind[1:-1]) for index, each in enumerate(value) if kind.startswith("["))
    elif isinstance(value, Mapping) and (functions := _functions(value)):
        choices = value[_IF] if functions == [_IF] and isinstance(value[_IF], list) else ()
        yield from (((_IF, index), each, kind) for index, each in enumerate(choices))
    elif isinstance(value, Mapping) and kind.startswith("{"):
        yield from (((key,), each, kind[1:-1]) for key, each in value.items())


def block_of(kind: str) -> str:
    """The block that a kind is, or is a list or a map of: ``[Group]`` -> ``Group``."""
    return kind.strip("[]{}")


def _home(unknown: UnknownKey, places: Iterable[tuple[Place, ...]]) -> str:
    """The block that has the key: below its own, around it, or the only one of this file. Empty if there is none.

    A newer version may add a key to one block that another one has already. So the value must be what that block takes,
    and a block that is not below must not have the key in this file. Nor is it one that the format has at several keys,
    unless it is beside: KubeRay's newer `autoscalerOptions.command` is not that of a container.
    """
    *outer, here = unknown.around
    for steps, block in _below(here.block, unknown.blocks):
        if _takes(unknown, block):
            return _in_words((*here.path, *steps))
    elsewhere = [
        each
        for *above, each in places
        if (*above, each)[0] == unknown.around[0]
        and _takes(unknown, each.block)
        and (each in outer or above[-1] in outer or _once(each.block, unknown.blocks))
    ]
    around = next((each for each in reversed(outer) if each in elsewhere), None)
    if around is None and len({each.block for each in elsewhere}) == 1:
        around = elsewhere[0]
    given = any(unknown.key in each.values for each in ([around] if around in outer else elsewhere))
    return "" if around is None or given else _in_words(around.path)


def _below(block: str, blocks: Blocks) -> Iterator[tuple[tuple[str, ...], str]]:
    """The blocks below one, the nearest first, each with the way to it."""
    waiting: list[tuple[tuple[str, ...], str]] = [((), block)]
    met = {block}
    for way, name in waiting:
        for key, kind in blocks[name].items():
            below = block_of(kind)
            if below in blocks and below not in met:
                met.add(below)
                waiting.append(((*way, _step(key, kind)), below))
    yield from waiting[1:]


def _step(key: str, kind: str) -> str:
    return f"{key}[]" if kind.startswith("[") else f"{key}.*" if kind.startswith("{") else key


def _once(block: str, blocks: Blocks) -> bool:
    """Whether the format has a block at one key only."""
    return sum(block_of(kind) == block for keys in blocks.values() for kind in keys.values()) == 1


def _takes(unknown: UnknownKey, block: str) -> bool:
    """Whether a block has a key, with a value of this form."""
    blocks, value = unknown.blocks, unknown.value
    kind = blocks.get(block, {}).get(unknown.key)
    if kind is None:
        return False
    if value is None or value is UNKNOWN or kind == "any" or (isinstance(value, Mapping) and _functions(value)):
        return True
    if isinstance(value, list):
        return kind.startswith("[")
    if isinstance(value, Mapping):
        return kind.startswith("{") or (kind in blocks and blocks[kind].keys() >= value.keys())
    return not kind.startswith(("[", "{")) and kind not in blocks


def _in_words(path: KeyPath) -> str:
    return dotted_path(path) or "the top level"
