"""Text of YAML files that Muster writes with comments: scalars, values in one line, comments."""

import json
import re
from textwrap import wrap
from typing import Any

WIDTH = 120

_SAFE = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*|\d+\.\d+\.\d+\.\d+/\d+|\d+(GiB|MiB)")
"""Text that every YAML reader reads as text without quotes, except the words below."""

_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Words that YAML reads as another type, including those of YAML 1.1, which the engine's reader may use."""


def comment_lines(text: str) -> list[str]:
    """Text as lines of comment. A line break in it, as a name from a user may have, does not end the comment."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return [f"# {each}" for each in wrap(line, WIDTH - 2, break_long_words=False, break_on_hyphens=False)]


def yaml_flow(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{yaml_scalar(key)}: {yaml_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(yaml_flow, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return yaml_scalar(value) if isinstance(value, str) else str(value)


def yaml_scalar(text: str) -> str:
    """A text as a YAML scalar: plain if that is safe, else in double quotes."""
    if _SAFE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return "".join(map(_escaped, json.dumps(text, ensure_ascii=False)))


def _escaped(char: str) -> str:
    """A character, escaped where YAML requires it. JSON's escapes would split a character above U+FFFF in two."""
    return char if char.isprintable() else f"\\U{ord(char):08x}"
