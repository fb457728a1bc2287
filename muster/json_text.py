"""Reads JSON that others wrote: bounded in size, depth and numbers, as plain values or as a typed model."""

import json
import re
from array import array
from bisect import bisect_left
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from muster.finding import KeyPath, dotted_path
from muster.message_text import show_value, truncate
from muster.position import Position
from muster.user_files import DEEPEST

_MOST_BLOCKS = 160_000
"""Objects and lists in one text. Each takes up to a kilobyte of memory, however short it is written; a file of the
engine's has one in a hundred bytes."""

_MOST_COMMAS = 800_000
"""A measure of the values in one text, each of which takes a microsecond; the engine writes one in 35 bytes."""

_MOST_DIGITS = 40
"""Of a whole number: the engine's are 64-bit."""

_TOP = Position(1, 1)


def place_in_json(fault: json.JSONDecodeError) -> Position:
    """Where a JSON text is wrong. One that ends too early is wrong where it ends, not in the empty line after it."""
    return Position.of_index(fault.doc, fault.pos if fault.doc[fault.pos :].strip() else len(fault.doc.rstrip()))


class NotJson(ValueError):
    """A text that is not read as JSON: why, and where."""

    def __init__(self, problem: str, position: Position) -> None:
        self.problem, self.position = problem, position
        super().__init__(problem)


class _Number(ValueError):
    """A number that has too many digits, as it is written."""


def load(text: str, *, large: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: the text.
        large: whether it may have eight times as many values as a file of the Pulumi engine.

    Raises:
        NotJson: it is no JSON, or more than is read.
    """
    if wrong := exceeded_limit(text, 8 if large else 1):
        raise NotJson(wrong, _TOP)
    try:
        data = json.loads(text, parse_int=_whole, parse_constant=_no_number)
    except json.JSONDecodeError as fault:
        raise NotJson(f"is not valid JSON: {fault.msg}", place_in_json(fault)) from None
    except _Number as fault:
        raise NotJson(
            f"has {truncate(str(fault))}, which is no number of at most {_MOST_DIGITS} digits", _TOP
        ) from None
    except RecursionError:
        raise NotJson(_TOO_DEEP, _TOP) from None
    if _is_deep(data):
        raise NotJson(_TOO_DEEP, _TOP)
    if half := _HALF.search(text):
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise NotJson("has an incomplete character (a lone surrogate)", position(text, half.start())) from None
    return data


_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""What may be half a character, which no text can be written with; two of them are a whole one."""


def exceeded_limit(text: str, times: int = 1) -> str:
    """What there is too much of, before a text is parsed; empty where nothing is. `times` multiplies the limits."""
    if text.count("{") + text.count("[") > times * _MOST_BLOCKS:
        return f"has more than {times * _MOST_BLOCKS} objects and lists"
    return f"has more than {times * _MOST_COMMAS} values" if text.count(",") > times * _MOST_COMMAS else ""


_TOO_DEEP = f"is nested too deeply to be read: more than {DEEPEST} objects and lists in each other"


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise _Number(digits)
    return int(digits)  # number: of the JSON parser; `_MOST_DIGITS` bounds it


def _no_number(word: str) -> float:
    raise _Number(word)


def _is_deep(data: Any) -> bool:
    level = [[data]]
    for _ in range(DEEPEST + 1):
        inside = (each.values() if isinstance(each, dict) else each for each in level)
        level = [below for values in inside for below in values if type(below) in (dict, list)]
        if not level:
            return False
    return True


def position(text: str, at: int) -> Position:
    """The line and column of a place in a text."""
    at = max(at, 0)
    breaks = _line_breaks(text)
    line = bisect_left(breaks, at)
    return Position(line + 1, at - (breaks[line - 1] if line else -1))


@lru_cache(maxsize=2)
def _line_breaks(text: str) -> "array[int]":
    """The offsets of the line breaks of a text: its places are asked for many times. A list of so many takes five times
    the memory: a plan of 85 MiB has 2.6 million."""
    return array("q", (each.start() for each in re.finditer("\n", text)))


_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(parse_int=float)


def position_of_path(text: str, path: KeyPath) -> Position:
    """The position of the value at a path in a text that `load` has read; of what is missing, of the block around."""
    at = _skip(text, 0)
    for step in path:
        below = _offsets(text, at).get(step)
        if below is None:
            break
        at = below
    return position(text, at)


@lru_cache(maxsize=4096)
def _offsets(text: str, at: int) -> dict[str | int, int]:
    """Where the values of the block that begins at `at` begin, by key or index; nothing for another value."""
    found: dict[str | int, int] = {}
    kind, at = text[at], _skip(text, at + 1)
    while kind in "{[" and text[at] not in "}]":
        key: str | int = len(found)
        if kind == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # behind the colon
        found[key] = at
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


class JsonModel(BaseModel):
    """A model of a JSON object. Text is never converted to a number; `null` counts as absent."""

    model_config = ConfigDict(frozen=True, strict=True, alias_generator=to_camel)


F = TypeVar("F", bound=JsonModel)
T = TypeVar("T")

ListOf = Annotated[list[T], Field(fail_fast=True)]
MapOf = Annotated[dict[str, T], Field(fail_fast=True)]
"""Lists and maps of which the first fault is enough: each fault takes a kilobyte, and there may be millions."""


class MalformedJson(ValueError):
    """A value of another form: its place, and what is wrong with it."""

    def __init__(self, path: KeyPath, words: str) -> None:
        self.path = path
        super().__init__(f"{dotted_path(path) or 'it'} {words}")


def parse_model(form: type[F], value: Any) -> F:
    """The value in that form.

    Raises:
        Malformed: it has another one; the first fault is reported.
    """
    try:
        return form.model_validate(value)
    except ValidationError as faults:
        first = faults.errors(include_url=False)[0]
    path: KeyPath = tuple(each for each in first["loc"] if each != "[key]")
    if first["type"] == "missing":
        raise MalformedJson(path[:-1], f"has no '{path[-1]}'")
    if first["type"] in _WANTED:
        raise MalformedJson(path, f"is {show_value(first['input'])}, but must be {_WANTED[first['type']]}")
    raise MalformedJson(path, str(first.get("ctx", {}).get("error", first["msg"])))


_WANTED = {
    "model_type": "an object",
    "dict_type": "an object",
    "list_type": "a list",
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
}
