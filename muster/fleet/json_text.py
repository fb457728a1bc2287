"""Reads JSON that others wrote: with its size, depth and numbers bounded, and with the place of what is wrong."""

import json
import re
from collections.abc import Iterator
from typing import Any

from muster.fleet.document import Position, place_in_json
from muster.fleet.dotted import Path_
from muster.user_files import DEEPEST

_MOST_BLOCKS = 160_000
"""Objects and lists in one text. Each takes up to a kilobyte of memory, however short it is written; a file of the
engine's has one in a hundred bytes."""

_MOST_COMMAS = 800_000
"""A measure of the values in one text, each of which takes a microsecond; the engine writes one in 35 bytes."""

_MOST_DIGITS = 40
"""Of a whole number: the engine's are 64-bit."""


class NotJson(ValueError):
    """A text that is not read as JSON: why, and where."""

    def __init__(self, problem: str, position: Position) -> None:
        self.problem, self.position = problem, position
        super().__init__(problem)


class _Number(ValueError):
    """A number that has too many digits, as it is written."""


def load(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        NotJson: it is no JSON, or more than is read.
    """
    if wrong := too_much(text):
        raise NotJson(wrong, Position(1, 1))
    try:
        data = json.loads(text, parse_int=_whole, parse_constant=_no_number)
    except json.JSONDecodeError as fault:
        raise NotJson(f"is not JSON, or not all of it: {fault.msg}", place_in_json(fault)) from None
    except _Number as fault:
        digits = str(fault)
        words = (
            f"has a number of {len(digits)} digits" if digits[-1:].isdigit() else f"has {digits}, which is no number"
        )
        raise NotJson(words, position(text, _outside_strings(text, digits))) from None
    except RecursionError:
        raise NotJson(_TOO_DEEP, Position(1, 1)) from None
    if _is_deep(data):
        raise NotJson(_TOO_DEEP, Position(1, 1))
    if half := _HALF.search(text):
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise NotJson("has half a character (a lone surrogate)", position(text, half.start())) from None
    return data


_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""What may be half a character, which no text can be written with; two of them are a whole one."""


def too_much(text: str) -> str:
    """What there is too much of, before a text is parsed; empty where nothing is."""
    if text.count("{") + text.count("[") > _MOST_BLOCKS:
        return f"has more than {_MOST_BLOCKS} objects and lists"
    return f"has more than {_MOST_COMMAS} values" if text.count(",") > _MOST_COMMAS else ""


_TOO_DEEP = f"is nested too deeply to be read: more than {DEEPEST} objects and lists in each other"


_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'


def _outside_strings(text: str, word: str) -> int:
    """Where a number stands that `load` refused: the first that is no part of a string, nor of a longer number."""
    found = re.finditer(rf"{_STRING}|(?P<word>(?<![\w.+-]){re.escape(word)}(?![\w.+-]))", text, re.DOTALL)
    return next((each.start() for each in found if each["word"] is not None), 0)


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise _Number(digits)
    return int(digits)


def _no_number(word: str) -> float:
    raise _Number(word)


def _is_deep(data: Any) -> bool:
    level = [data]
    for _ in range(DEEPEST):
        level = [below for each in level for below in _blocks(each)]
        if not level:
            return False
    return True


def _blocks(value: Any) -> Iterator[Any]:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (each for each in inside if type(each) in (dict, list))


def position(text: str, at: int) -> Position:
    """The line and column of a place in a text."""
    at = max(at, 0)
    return Position(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(parse_int=float)


def place(text: str, path: Path_) -> Position:
    """Where the value at a path stands in a text that `load` has read; of what is not there, what is around it."""
    at = _skip(text, 0)
    for step in path:
        below = _below(text, at, step)
        if below is None:
            break
        at = below
    return position(text, at)


def _below(text: str, at: int, step: str | int) -> int | None:
    """Where the value of a key, or of an index, begins inside the block that begins at `at`."""
    kind, at = text[at], _skip(text, at + 1)
    for index in range(len(text)):
        if kind not in "{[" or text[at] in "}]":
            break
        key: str | int = index
        if kind == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # behind the colon
        if key == step:
            return at
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return None


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at
