"""The keys of other tools' files, as data: the `keys.json` of a format has each block with its keys and their kinds, as
its tool publishes them (`tools/published_keys.py`).

A kind is `text`, `int`, `number`, `bool`, `value` (any of these), `any`, or the name of a block; `[KIND]` is a list,
`{KIND}` a map whose keys the author chooses, and `[KIND]|{KIND}` either. A value of another kind is an error with its
place. `unknown_keys.py` judges the keys that are not in the table.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.hardware.tables import read_text
from muster.message_text import show_value
from muster.sources.source import Gap, InputFile, InvalidFile
from muster.sources.unknown_keys import UnknownKeys
from muster.unknown import UNKNOWN

_SCALARS: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "int": (int,),
    "number": (int, float),
    "bool": (bool,),
}
_IN_WORDS = {
    "text": "a text in quotes",
    "int": "a whole number",
    "number": "a number",
    "bool": "true or false",
    "value": "a single value",
}
_NOTHING: tuple[Any, ...] = (None, [], {})


@dataclass(frozen=True, slots=True)
class Table:
    """The keys of a format."""

    blocks: Mapping[str, Mapping[str, str]]
    """Block -> key -> kind."""
    unread: Mapping[str, str]
    """``Block.key`` -> what no rule evaluates."""

    @property
    def names(self) -> frozenset[str]:
        """Every key, at any depth."""
        return frozenset(key for kinds in self.blocks.values() for key in kinds)


@cache
def table_of(format_: str) -> Table:
    """The keys of a format: of `muster/sources/FORMAT/keys.json`."""
    data = json.loads(read_text("keys.json", f"muster.sources.{format_}"))
    blocks = {
        name: {key: kind for kind, keys in kinds.items() for key in keys} for name, kinds in data["blocks"].items()
    }
    return Table(blocks, data["unread"])


class Checked:
    """A document whose known keys have values of their kinds."""

    def __init__(self, file: InputFile, values: Mapping[Any, Any], block: str, tool: str, document: int = 0) -> None:
        """Checks it.

        Args:
            file: the file.
            values: the document, with `UNKNOWN` for placeholders.
            block: the format, and the block that the document is: ``eksctl.ClusterConfig``.
            tool: the tool that reads the file, in words.
            document: the number of the document in the file.

        Raises:
            InvalidFile: a value has another kind.
        """
        format_, _, name = block.partition(".")
        self._file, self._document, self._table = file, document, table_of(format_)
        self.gaps: list[Gap] = []
        """The keys that no rule evaluates."""
        self.values: dict[str, Any] = self._block(values, name, ())
        """The document without null, which is an absent value."""
        unknown = UnknownKeys(file, tool, document)
        unknown.search(values, name, self._table.blocks)
        self.unknown_keys: tuple[InvalidFile, ...] = tuple(unknown.faults())
        """The findings about keys that the table does not have."""

    def _block(self, values: Mapping[Any, Any], name: str, path: KeyPath) -> dict[str, Any]:
        return {key: each for key, each in self._entries(values, name, path) if each is not None}

    def _entries(self, values: Mapping[Any, Any], name: str, path: KeyPath) -> Iterator[tuple[str, Any]]:
        kinds = self._table.blocks[name]
        for key, value in values.items():
            at = (*path, key)
            if key not in kinds:
                yield str(key), value
                continue
            missing = self._table.unread.get(f"{name}.{key}")
            if missing and (value is UNKNOWN or (value is not False and value not in _NOTHING)):
                self.gaps.append(Gap(dotted_path(at), missing))
            yield key, self._value(value, kinds[key], at)

    def _value(self, value: Any, kind: str, path: KeyPath) -> Any:
        if value is None or value is UNKNOWN or kind == "any":
            return value
        listed, _, mapped = kind.partition("|")
        kind = mapped if mapped and isinstance(value, Mapping) else listed
        if kind.startswith("["):
            self._require(isinstance(value, list), value, "a list", path)
            return [self._item(each, kind[1:-1], (*path, index)) for index, each in enumerate(value)]
        if kind in _IN_WORDS:
            self._require(_is_scalar(value, kind), value, _IN_WORDS[kind], path)
            return value
        self._require(isinstance(value, Mapping), value, "a block of keys", path)
        if not kind.startswith("{"):
            return self._block(value, kind, path)
        made = {str(key): self._value(each, kind[1:-1], (*path, key)) for key, each in value.items()}
        return {key: each for key, each in made.items() if each is not None}

    def _item(self, value: Any, kind: str, path: KeyPath) -> Any:
        self._require(value is not None, value, "a value", path)
        return self._value(value, kind, path)

    def _require(self, holds: bool, value: Any, wanted: str, path: KeyPath) -> None:  # noqa: FBT001 - a condition
        if not holds:
            got = f"{dotted_path(path)} is {show_value(value)}, but must be {wanted}"
            raise self._file.fault(path, got, f"write {wanted}", self._document)


def _is_scalar(value: Any, kind: str) -> bool:
    if kind == "value":
        return not isinstance(value, Mapping | list)
    return isinstance(value, _SCALARS[kind]) and isinstance(value, bool) == (kind == "bool")


def only_document(file: InputFile, noun: str) -> Mapping[str, Any]:
    """The document of a file that has one.

    Raises:
        InvalidFile: the file has several documents, or no mapping.
    """
    if len(file.documents) != 1:
        got = f"has {len(file.documents)} documents, but a {noun} is one document"
        raise file.fault((), got, "put each document in its own file", document=min(1, len(file.documents)))
    document = file.documents[0]
    if not isinstance(document, Mapping):
        raise file.fault((), f"is {show_value(document)}, not a {noun}", "write keys and values")
    return document
