"""Entries as lines of YAML, each reason as a comment beside its key, or above it where the line would be too long."""

import json
import re
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from muster.fleet.new_stack.entry import Entries, Entry, Flow

WIDTH = 120
_INDENT = 2

_SAFE = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*|\d+\.\d+\.\d+\.\d+/\d+|\d+(GiB|MiB)")
"""Text that every YAML reader takes for text without quotes, if it is none of the words below."""

_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Of YAML 1.1 too: the engine's reader and this one need not agree on them."""


def lines(entries: Entries, depth: int = 0) -> Iterator[str]:
    """The lines of a block."""
    for entry in entries:
        yield from _entry(entry, " " * _INDENT * depth, depth)


def comment(text: str, indent: str = "") -> Iterator[str]:
    """Text as lines of comment."""
    for line in wrap(_one_line(text), WIDTH - len(indent) - 2, break_long_words=False, break_on_hyphens=False):
        yield f"{indent}# {line}"


def comment_beside(text: str) -> str:
    """Text as a comment at the end of a line."""
    return f" # {_one_line(text)}"


def _entry(entry: Entry, indent: str, depth: int) -> Iterator[str]:
    block = isinstance(entry.value, tuple)
    line = f"{indent}{scalar(entry.key)}:" + ("" if block else f" {_written(entry.value)}")
    beside = f"{line}{comment_beside(entry.why)}" if entry.why else line
    if len(beside) <= WIDTH:
        yield beside
    else:
        yield from comment(entry.why, indent)
        yield line
    if isinstance(entry.value, tuple):
        yield from lines(entry.value, depth + 1)


def _written(value: Any) -> str:
    if isinstance(value, Flow):
        return flow(value.value)
    if isinstance(value, bool):
        return str(value).lower()
    return scalar(value) if isinstance(value, str) else str(value)


def flow(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return _written(value)


def scalar(text: str) -> str:
    """Text as YAML has it: bare where that is safe, else in double quotes."""
    if _SAFE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return "".join(map(_escaped, json.dumps(text, ensure_ascii=False)))


def _escaped(char: str) -> str:
    """What YAML does not take as it is. JSON's own escapes would split what is beyond 16 bits in two."""
    if char.isprintable():
        return char
    return f"\\U{ord(char):08x}"


def _one_line(text: str) -> str:
    """What AWS or a person called something must not end a comment, or begin a line."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
