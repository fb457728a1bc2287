"""Reads a YAML or JSON document with the position of every key and value, and gives findings their position in it."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any, Self
from warnings import catch_warnings, simplefilter

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, MaxDepthExceededError
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from muster import user_files
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path
from muster.message_text import truncate


class WrittenNumber(float):
    """A number with its text in the file: as a version, 1.30 is not 1.3."""

    text: str

    @classmethod
    def of(cls, value: float, text: str) -> Self:
        """A number, and how it was written."""
        made = cls(value)
        made.text = text
        return made


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A position in a file. Both numbers begin at 1."""

    line: int
    column: int


NOWHERE = Position(0, 0)
"""The position in a file that does not exist."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document's values, positions, and the faults that are about its text rather than its meaning."""

    file: Path
    data: Any = None
    values_at: Mapping[KeyPath, Position] = field(default_factory=dict)
    keys_at: Mapping[KeyPath, Position] = field(default_factory=dict)
    faults: tuple[tuple[KeyPath, Position, Finding], ...] = ()
    text: str = ""

    def position(self, path: KeyPath, *, key: bool = False) -> Position | None:
        """The position of the value (or of the key) at a path; for an absent one, of the nearest block around it.

        A block begins at its key: its first line is about something else.
        """
        while path:
            named, value = self.keys_at.get(path), self.values_at.get(path)
            if named and (key or (value and value.line > named.line)):
                return named
            if value:
                return value
            path, key = path[:-1], True
        return self.values_at.get(())


def read(file: Path, *, as_go: bool = False, inside: Path | None = None) -> Document:
    """Reads a file; what cannot be read becomes a fault, never an exception.

    Args:
        file: which.
        inside: the folder that no link may leave; None for a file that the user names.
        as_go: reads numbers as Go's yaml.v3 does (`0755` is octal), and plain dates as text. Default: dates, and
            numbers that YAML readers read differently, are errors.
    """
    try:
        text = user_files.read_text(file, user_files.DESCRIPTION, inside)
    except user_files.NoSuchFile:
        return _unreadable(file, f"there is no file {file}", "check the name; `ls stacks` shows what there is")
    except user_files.CannotRead as fault:
        return _unreadable(file, fault.got, fault.remedy, Position(fault.line, fault.column))
    return parse(text, file, as_go=as_go)


def _unreadable(file: Path, got: str, remedy: str, position: Position = Position(1, 1)) -> Document:
    return Document(file, faults=(((), position, Finding("", SCHEMA, Level.MANDATORY, got, remedy)),))


def parse(text: str, file: Path, *, as_go: bool = False) -> Document:
    """Parses text as the content of `file`. JSON is parsed as YAML, of which it is a subset."""
    return replace(_parsed(text, file, as_go=as_go), text=text)


def _parsed(text: str, file: Path, *, as_go: bool) -> Document:
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer, yaml.max_depth = _Composer, user_files.DEEPEST
    reader = _Reader(yaml, as_go=as_go)
    try:
        with catch_warnings():
            # An anchor's name may be used twice, as in the engine's parser; the library's warning is not shown.
            simplefilter("ignore", ReusedAnchorWarning)
            root = yaml.compose(text)
        data = None if root is None else reader.value(root, ())
    except _TooMuch as fault:
        return _unreadable(file, fault.got, fault.remedy, fault.position)
    except MaxDepthExceededError as fault:
        got = f"is nested too deeply: more than {user_files.DEEPEST} blocks in each other"
        return _unreadable(file, got, "write it flatter", _mark_of(fault))
    except MarkedYAMLError as fault:
        not_json = _not_json(text) if file.suffix == ".json" else None
        return _unreadable(file, *(not_json or _not_yaml(fault)))
    except YAMLError as fault:
        position = _place(text, fault.position) if isinstance(fault, ReaderError) else Position(1, 1)
        return _unreadable(
            file, f"this is not valid YAML: {str(fault).splitlines()[0]}", "remove this character", position
        )
    if root is None:
        return Document(file, data=None, values_at={(): Position(1, 1)})
    return Document(file, data, reader.values_at, reader.keys_at, tuple(reader.faults))


def _not_yaml(fault: MarkedYAMLError) -> tuple[str, str, Position]:
    """What the parser says, what to do, and where: what is never closed is wrong where it is opened."""
    context = fault.context or ""
    opened = fault.context_mark if re.search("quoted scalar|flow|simple key", context) else None
    place = opened or fault.problem_mark or fault.context_mark
    words = truncate(", ".join(filter(None, (context, fault.problem))), 400)
    remedy = "fix the syntax here or in the lines above: indentation, a space after each colon, quotes, brackets"
    position = Position(place.line + 1, place.column + 1) if place else Position(1, 1)
    return f"this is not valid YAML: {words}", remedy, position


def _mark_of(fault: MarkedYAMLError) -> Position:
    mark = fault.problem_mark or fault.context_mark
    return Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)


def _not_json(text: str) -> tuple[str, str, Position] | None:
    """Why a text is not JSON, what to do, and where; None if it is JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as fault:
        got = f"is not JSON, or not all of it: {fault.msg}"
        return got, "fix the JSON syntax at this position", place_in_json(fault)
    except RecursionError:
        return None
    return None


def place_in_json(fault: json.JSONDecodeError) -> Position:
    """Where a JSON text is wrong. One that ends too early is wrong where it ends, not in the empty line after it."""
    at = fault.pos if fault.doc[fault.pos :].strip() else len(fault.doc.rstrip())
    return _place(fault.doc, at)


def _place(text: str, at: int) -> Position:
    """Where the character of that index stands."""
    return Position(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


_MERGE = "tag:yaml.org,2002:merge"
_TIMESTAMP = "tag:yaml.org,2002:timestamp"
_PLAIN_NUMBERS = {
    "tag:yaml.org,2002:int": re.compile(r"[-+]?(0|[1-9][0-9]{0,17})"),
    "tag:yaml.org,2002:float": re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+"),
}
"""How numbers look that every YAML reader takes for the same."""

_MOST_VALUES = 20_000
"""Keys and values of one document, aliases written out. A cluster of a hundred groups has a tenth of them; each takes
up to 0.1 ms to read."""


class _TooMuch(Exception):
    """More than is read of one document."""

    def __init__(self, got: str, remedy: str, node: Node) -> None:
        self.got, self.remedy, self.position = got, remedy, _mark(node)


class _Composer(Composer):
    """Counts what it composes: text of the size that is read may still hold too many values."""

    made = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.made += 1
        if self.made > _MOST_VALUES:
            remedy = user_files.DESCRIPTION.remedy
            raise _TooMuch(f"has more than {_MOST_VALUES} keys and values", remedy, self.parser.peek_event())
        return super().compose_node(parent, index)


class _Reader:
    """Turns composed nodes into values; one per document."""

    def __init__(self, yaml: YAML, *, as_go: bool) -> None:
        self._scalars: SafeConstructor = yaml.constructor
        self._as_go = as_go
        self.values_at: dict[KeyPath, Position] = {}
        self.keys_at: dict[KeyPath, Position] = {}
        self.faults: list[tuple[KeyPath, Position, Finding]] = []
        self._open: list[Node] = []
        self._read = 0

    def value(self, node: Node, path: KeyPath) -> Any:
        self.values_at[path] = _mark(node)
        self._count(node)
        if any(node is each for each in self._open):
            self._fault(path, node, "this alias contains itself", "write the value out")
            return None
        self._open.append(node)
        try:
            if isinstance(node, MappingNode):
                return dict(self._entries(node, path))
            if isinstance(node, SequenceNode):
                return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
            return self._scalar(node, path) if isinstance(node, ScalarNode) else None
        finally:
            self._open.pop()

    def _count(self, node: Node) -> None:
        self._read += 1
        if self._read > _MOST_VALUES:
            # Aliases of aliases grow without end out of a few lines.
            got = f"aliases (*) make more than {_MOST_VALUES} keys and values of it"
            raise _TooMuch(got, "use fewer aliases, and none in what an alias names", node)

    def _entries(self, node: MappingNode, path: KeyPath) -> Iterator[tuple[str, Any]]:
        for key_node, value_node in node.value:
            if key_node.tag == _MERGE:
                self._fault(path, key_node, "merge keys (<<) are not followed here", "write the values out")
                yield from self._merged(value_node, path)
        first: dict[str, Position] = {}
        for key_node, value_node in node.value:
            if key_node.tag == _MERGE:
                continue
            if not isinstance(key_node, ScalarNode):
                self._fault(path, key_node, "a key that is a list or a map", "write a plain word as key")
                continue
            key, at = str(key_node.value), _mark(key_node)
            if _is_broken(key):
                self._fault(
                    path, key_node, "a key has half a character (a lone surrogate)", "write the character itself"
                )
                continue
            if key in first:
                self._fault(
                    (*path, key),
                    key_node,
                    f"key '{key}' is a duplicate (first on line {first[key].line})",
                    "keep one of the two",
                )
                continue
            first[key] = at
            self.keys_at[(*path, key)] = at
            yield key, self.value(value_node, (*path, key))

    def _merged(self, node: Node, path: KeyPath) -> Iterator[tuple[str, Any]]:
        """The entries that a merge key (`<<`) adds; else each of them would also be reported as missing. In a list the
        first mapping has precedence; the block's own keys have precedence over all."""
        for each in reversed(node.value) if isinstance(node, SequenceNode) else [node]:
            self._count(each)
            if isinstance(each, MappingNode) and not any(each is other for other in self._open):
                self._open.append(each)
                yield from self._entries(each, path)
                self._open.pop()

    def _scalar(self, node: ScalarNode, path: KeyPath) -> Any:
        if node.tag == _TIMESTAMP:
            if self._as_go:
                return node.value
            self._fault(
                path, node, f"YAML reads {node.value} as a time, not as text", f'write it in quotes: "{node.value}"'
            )
            return node.value
        form = _PLAIN_NUMBERS.get(str(node.tag))
        short = len(node.value) <= _LONGEST_NUMBER
        in_two_ways = form is not None and not form.fullmatch(node.value)
        try:
            # Python refuses to read numbers of thousands of digits.
            value = None if form and not short else self._scalars.construct_object(node)
        except (YAMLError, ValueError, LookupError):  # what the library raises of `!!bool maybe` is a KeyError
            got = f"'{truncate(node.value)}' cannot be read as {node.tag}"
            self._fault(path, node, got, "write plain text, a number or true")
            return None
        number = _of_go(node.value) if in_two_ways and self._as_go and short else None
        if number is not None:
            value = number
        elif in_two_ways:
            # `010` is 10 here and 8 to the engine; 4e0 is a float here and 4 there.
            remedy = "write a plain decimal number, or text in quotes"
            self._fault(path, node, f"{truncate(node.value)} is read in two ways", remedy)
        if isinstance(value, str) and _is_broken(value):
            self._fault(path, node, "has half a character (a lone surrogate)", "write the character itself")
            return None
        return WrittenNumber.of(value, node.value) if type(value) is float else value

    def _fault(self, path: KeyPath, node: Node, got: str, remedy: str) -> None:
        self.faults.append((path, _mark(node), Finding(dotted_path(path), SCHEMA, Level.MANDATORY, got, remedy)))


_LONGEST_NUMBER = 40


def _of_go(text: str) -> int | float | None:
    """A number as Go's yaml.v3 reads it (`resolve.go`): `0755` in base 8, underscores left out; None of `.inf`."""
    digits = text.replace("_", "")
    try:
        base = 8 if re.fullmatch("[-+]?0[0-7]+", digits) else 0
        return int(digits, base)  # number: as YAML reads it; `_LONGEST_NUMBER` bounds it
    except ValueError:
        pass
    try:
        return float(digits) if isfinite(float(digits)) else None  # number: the same
    except ValueError:
        return None


def _is_broken(text: str) -> bool:
    """Whether no UTF-8 can be made of it."""
    return not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text)


def _mark(node: Node) -> Position:
    return Position(node.start_mark.line + 1, node.start_mark.column + 1)


CLUSTER_KEY = "muster:cluster"
POLICIES_KEY = "muster:policies"
REGION_KEY = "aws:region"
ACCOUNTS_KEY = "aws:allowedAccountIds"
CLUSTER_PATH: KeyPath = ("config", CLUSTER_KEY)
POLICIES_PATH: KeyPath = ("config", POLICIES_KEY)

ENGINE_KEYS = frozenset({"config", "encryptionsalt", "encryptedkey", "secretsprovider", "environment", "packages"})
"""What the engine itself keeps in a stack file; it writes `encryptionsalt` on its own."""


@dataclass(frozen=True, slots=True, order=True)
class LocatedFinding:
    """A finding and the file, line and column it is about."""

    file: Path
    position: Position
    finding: Finding
    elsewhere: bool = False
    """Whether the validated value is not the one in the file (`--config`, a secret, another `--config-file`). Then only
    the key path locates it."""

    def __str__(self) -> str:
        """``stacks/Pulumi.p5-odcr.yaml:14:9``; a file that does not exist; or the path of a value that is not in it."""
        if self.elsewhere:
            where = self.finding.where
            path = where if where.startswith(POLICIES_KEY) else ".".join(filter(None, (CLUSTER_KEY, where)))
            return f"{path} (not the value in {self.file})"
        if self.position == NOWHERE:
            return str(self.file)
        return f"{self.file}:{self.position.line}:{self.position.column}"


def locate_given(
    document: Document, given: Any, finding: Finding, path: KeyPath, root: KeyPath = CLUSTER_PATH
) -> LocatedFinding:
    """A finding about a path of the description, with its position in the file if the file has the validated value.

    Args:
        document: the stack's file.
        given: the validated values.
        finding: the finding about them.
        path: its path below `root`.
        root: the path of the validated values in the file.
    """
    while path and value_at(given, path) is None:
        path = path[:-1]
    located = locate_at(document, root + path, finding)
    same = value_at(document.data, root + path) == value_at(given, path)
    return located if same else replace(located, elsewhere=True)


def locate_at(document: Document, path: KeyPath, finding: Finding) -> LocatedFinding:
    """A finding with its position."""
    position = document.position(path, key=finding.about_key)
    return LocatedFinding(document.file, position or Position(1, 1), finding)


def value_at(data: Any, path: KeyPath) -> Any:
    """The value at a path; None where there is none."""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def invalid_finding(where: str, got: str, remedy: str, *, about_key: bool = False) -> Finding:
    """A schema error of a stack's files."""
    return Finding(where, SCHEMA, Level.MANDATORY, got, remedy, about_key=about_key)
