"""Entries of a YAML file, each with its reason, and the lines of YAML that they become."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

Scalar = str | int | bool


@dataclass(frozen=True, slots=True)
class Flow:
    """A block, or a list, in one line: ``{size: 300GiB}``, ``[203.0.113.0/24]``."""

    value: Any


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, its value and the reason."""

    key: str
    value: "Scalar | Flow | tuple[Entry, ...]"
    why: str = ""
    """One line for people: AWS's answer, or the purpose. Empty if the key is enough."""


Entries = tuple[Entry, ...]


def plain_values(entries: Iterable[Entry]) -> dict[str, Any]:
    """The values, as a YAML parser gives them."""
    return {entry.key: _plain(entry.value) for entry in entries}


def _plain(value: Any) -> Any:
    if isinstance(value, Flow):
        return value.value
    return plain_values(value) if isinstance(value, tuple) else value


def reasons(entries: Iterable[Entry], below: str = "") -> Iterator[tuple[str, Any, str]]:
    """Every key with a reason, by its dotted path: with its value, and the reason.

    A block with a reason and keys with reasons inside is without its value.
    """
    for entry in entries:
        path = f"{below}.{entry.key}" if below else entry.key
        inside = list(reasons(entry.value, path)) if isinstance(entry.value, tuple) else []
        if entry.why:
            yield path, None if inside else _plain(entry.value), entry.why
        yield from inside


WIDTH = 120
_INDENT = 2

_SAFE = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*|\d+\.\d+\.\d+\.\d+/\d+|\d+(GiB|MiB)")
"""Text that every YAML reader reads as text without quotes, except the words below."""

_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Words that YAML reads as another type, including those of YAML 1.1, which the engine's reader may use."""


def yaml_lines(entries: Entries, depth: int = 0) -> Iterator[str]:
    """The lines of a block."""
    for entry in entries:
        yield from _entry_lines(entry, " " * _INDENT * depth, depth)


def comment_lines(text: str, indent: str = "") -> Iterator[str]:
    """Text as lines of comment."""
    for line in wrap(_one_line(text), WIDTH - len(indent) - 2, break_long_words=False, break_on_hyphens=False):
        yield f"{indent}# {line}"


def comment_beside(text: str) -> str:
    """Text as a comment at the end of a line."""
    return f" # {_one_line(text)}"


def _entry_lines(entry: Entry, indent: str, depth: int) -> Iterator[str]:
    block = isinstance(entry.value, tuple)
    line = f"{indent}{yaml_scalar(entry.key)}:" + ("" if block else f" {_inline_value(entry.value)}")
    beside = f"{line}{comment_beside(entry.why)}" if entry.why else line
    if len(beside) <= WIDTH:
        yield beside
    else:
        yield from comment_lines(entry.why, indent)
        yield line
    if isinstance(entry.value, tuple):
        yield from yaml_lines(entry.value, depth + 1)


def _inline_value(value: Any) -> str:
    if isinstance(value, Flow):
        return yaml_flow(value.value)
    if isinstance(value, bool):
        return str(value).lower()
    return yaml_scalar(value) if isinstance(value, str) else str(value)


def yaml_flow(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{yaml_scalar(key)}: {yaml_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(yaml_flow, value)) + "]"
    return _inline_value(value)


def yaml_scalar(text: str) -> str:
    """A text as a YAML scalar: plain if that is safe, else in double quotes."""
    if _SAFE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return "".join(map(_escaped, json.dumps(text, ensure_ascii=False)))


def _escaped(char: str) -> str:
    """A character, escaped where YAML requires it. JSON's escapes would split a character above U+FFFF in two."""
    if char.isprintable():
        return char
    return f"\\U{ord(char):08x}"


def _one_line(text: str) -> str:
    """Text of a comment without line breaks: a name from AWS or a user must not end the comment."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
