"""Reads a stack's YAML and JSON files with the position of every key and value, and gives findings their position."""

import json
import re
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, Self

from yaml.nodes import Node, ScalarNode

from muster import user_files
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path
from muster.json_text import place_in_json
from muster.message_text import truncate
from muster.position import NOWHERE, Position
from muster.yaml_text import MERGE, TIMESTAMP, YAML_1_1, Forms, NotYaml, Values, compose_all, find_position, position_of


class WrittenNumber(float):
    """A number with its text in the file: as a version, 1.30 is not 1.3."""

    text: str

    @classmethod
    def of(cls, value: float, text: str) -> Self:
        """A number, and how it was written."""
        made = cls(value)
        made.text = text
        return made


class Document(NamedTuple):
    """A document's values, positions, and the faults that are about its text rather than its meaning."""

    file: Path
    data: Any = None
    root: Node | None = None
    faults: tuple[tuple[KeyPath, Position, Finding], ...] = ()
    text: str = ""
    is_read: bool = True
    """Whether its text could be read, with faults or without."""

    def position(self, path: KeyPath, *, key: bool = False) -> Position:
        """The position of the value (or of the key) at a path; for an absent one, of the nearest block around it."""
        return find_position(self.root, path, key=key)


_BEGIN = Position(1, 1)


def read(file: Path, *, inside: Path | None = None) -> Document:
    """Reads a file; what cannot be read becomes a fault, never an exception.

    Args:
        file: which.
        inside: the folder that no link may leave; None for a file that the user names.
    """
    try:
        text = user_files.read_text(file, user_files.DESCRIPTION, inside)
    except user_files.NoSuchFile:
        return _unreadable(file, f"there is no file {file}", "check the name; `ls stacks` shows what there is")
    except user_files.CannotRead as fault:
        return _unreadable(file, fault.got, fault.remedy, Position(fault.line, fault.column))
    return parse(text, file)


def _unreadable(file: Path, got: str, remedy: str, position: Position = _BEGIN, text: str = "") -> Document:
    fault = Finding("", SCHEMA, Level.MANDATORY, got, remedy)
    return Document(file, faults=(((), position, fault),), text=text, is_read=False)


def parse(text: str, file: Path) -> Document:
    """Parses text as the content of `file`. JSON is parsed as YAML, of which it is a subset."""
    is_json = file.suffix == ".json"
    try:
        root = _only(compose_all(_SURROGATES.sub(_character, text) if is_json else text, _FORMS, _MOST_VALUES))
    except NotYaml as fault:
        got, remedy, at = (_not_json(text) if is_json else None) or (fault.problem, fault.remedy, fault.position)
        return _unreadable(file, got, remedy, at, text)
    values = _Values()
    data = values.of(root) if root else None
    return Document(file, data, root, tuple(values.faults), text)


def _only(roots: list[Node]) -> Node | None:
    if len(roots) > 1:
        words = "has several documents, but is read as one"
        raise NotYaml(words, position_of(roots[1]), "remove the line `---` and what follows it")
    return roots[0] if roots else None


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


_SURROGATES = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
"""A character beyond U+FFFF, as JSON escapes it."""


def _character(found: re.Match[str]) -> str:
    character = bytes.fromhex(found[2] + found[3]).decode("utf-16-be")
    return rf"{found[1]}\U{ord(character):08x}"


_MOST_VALUES = 20_000
"""Keys and values of one document, aliases written out. A cluster of a hundred groups has a tenth of them."""

_INT, _FLOAT, _BOOL, _NULL = (f"tag:yaml.org,2002:{each}" for each in ("int", "float", "bool", "null"))

_PLAIN_NUMBERS = {_INT: re.compile(r"[-+]?(0|[1-9][0-9]{0,17})"), _FLOAT: re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+")}
"""How numbers look that every YAML reader takes for the same."""

_YAML_1_2 = (
    (_BOOL, "tTfF", re.compile(r"(true|True|TRUE|false|False|FALSE)$")),
    (_INT, "-+0123456789", re.compile(r"[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)$")),
    (_FLOAT, "-+.0123456789", re.compile(r"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9_]+)([eE][-+]?[0-9]+)?$")),
    (_FLOAT, "-+.", re.compile(r"[-+]?\.(inf|Inf|INF|nan|NaN|NAN)$")),
)
"""The numbers and booleans of the engine's reader, with their first characters: Norway is a country."""


def _forms() -> Forms:
    """What is no text to the engine's reader."""
    kept = (_NULL, MERGE, TIMESTAMP)
    made = {first: [each for each in forms if each[0] in kept] for first, forms in YAML_1_1.items()}
    for tag, firsts, form in _YAML_1_2:
        for first in firsts:
            made.setdefault(first, []).append((tag, form))
    return made


_FORMS = _forms()


class _Values(Values):
    """Plain values, and their faults."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[tuple[KeyPath, Position, Finding]] = []

    def fault(self, path: KeyPath, node: Node, got: str, remedy: str) -> None:
        self.faults.append((path, position_of(node), Finding(dotted_path(path), SCHEMA, Level.MANDATORY, got, remedy)))

    def key(self, node: ScalarNode, path: KeyPath) -> str:  # noqa: ARG002
        return str(node.value)

    def merge(self, node: ScalarNode, path: KeyPath) -> None:
        self.fault(path, node, "merge keys (<<) are not followed here", "write the values out")

    def scalar(self, node: ScalarNode, path: KeyPath) -> Any:
        text = node.value
        if node.tag == TIMESTAMP:
            self.fault(path, node, f"YAML reads {text} as a time, not as text", f'write it in quotes: "{text}"')
            return text
        if node.tag not in _PLAIN_NUMBERS:
            return super().scalar(node, path)
        number = _number(text)
        if number is None:
            self.fault(path, node, f"'{truncate(text)}' is not a number that can be read", _WRITE_A_NUMBER)
        elif not _PLAIN_NUMBERS[node.tag].fullmatch(text):
            # `010` is 10 to some and 8 to the engine; 4e0 is a float to some and 4 there.
            self.fault(path, node, f"{truncate(text)} is read in two ways", _WRITE_A_NUMBER)
        return WrittenNumber.of(number, text) if isinstance(number, float) else number


_WRITE_A_NUMBER = "write a plain decimal number, or text in quotes"
_LONGEST_NUMBER = 40


def _number(text: str) -> int | float | None:
    digits = text.replace("_", "") if len(text) <= _LONGEST_NUMBER else ""
    for base in (10, 0):
        try:
            return int(digits, base)  # number: as YAML reads it; `_LONGEST_NUMBER` bounds it
        except ValueError:
            pass
    try:
        return float(digits) if isfinite(float(digits)) else None  # number: the same
    except ValueError:
        return None


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
