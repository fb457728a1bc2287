"""The syntax of Pulumi programs in YAML: `${...}` in texts, and the keys that call functions (`fn::...`)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.config.document import Document, Position
from muster.finding import KeyPath
from muster.foreign.project import CannotBeRead
from muster.message_text import closest_match

PREFIX = "fn::"
_INVOKE = "fn::invoke"


@dataclass(frozen=True, slots=True)
class Reference:
    """The text between `${` and `}`."""

    root: str
    steps: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramText:
    """The program's text."""

    document: Document

    def place(self, path: KeyPath, *, key: bool = False) -> str:
        """`file:line:column`."""
        at = self.document.position(path, key=key) or Position(1, 1)
        return f"{self.document.file}:{at.line}:{at.column}"

    def fault(self, path: KeyPath, got: str, remedy: str, *, key: bool = False) -> CannotBeRead:
        """A fault, with its place."""
        return CannotBeRead(f"{self.place(path, key=key)}: {got}; {remedy}")


class InvalidReference(ValueError):
    """A `${` that does not begin a valid reference."""


def split_text(text: str) -> Iterator[str | Reference]:
    """The parts of a text: `$$` is a `$`, and `${...}` is a reference.

    Raises:
        InvalidReference: a reference does not end, or names nothing.
    """
    plain: list[str] = []
    at = 0
    while at < len(text):
        dollar = text.find("$", at)
        plain.append(text[at:] if dollar < 0 else text[at:dollar])
        if dollar < 0:
            break
        if text.startswith("${", dollar):
            if any(plain):
                yield "".join(plain)
            reference, at = _reference(text, dollar + 2)
            plain = []
            yield reference
        else:
            plain.append("$")
            at = dollar + (2 if text.startswith("$$", dollar) else 1)
    if any(plain):
        yield "".join(plain)


def _reference(text: str, at: int) -> tuple[Reference, int]:
    steps: list[str | int] = []
    while at < len(text):
        if text[at] == "}":
            if not steps or not isinstance(steps[0], str) or not steps[0]:
                raise InvalidReference("'${}' has no name")
            return Reference(steps[0], tuple(steps[1:])), at + 1
        if text[at] == ".":
            at += 1
        elif text[at] == "[":
            step, at = _index(text, at + 1)
            steps.append(step)
        else:
            end = next((place for place in range(at, len(text)) if text[place] in ".[}"), len(text))
            steps.append(text[at:end])
            at = end
    raise InvalidReference("'${' is not closed")


def _index(text: str, at: int) -> tuple[str | int, int]:
    """The text in brackets: a number, or a key in quotes."""
    if text.startswith('"', at):
        key: list[str] = []
        at += 1
        while at < len(text) and text[at] != '"':
            at += 1 if text.startswith('\\"', at) else 0
            key.append(text[at])
            at += 1
        if not text.startswith('"]', at):
            raise InvalidReference("'[\"' is not closed by '\"]'")
        return "".join(key), at + 2
    end = text.find("]", at)
    if end < 0:
        raise InvalidReference("'[' is not closed")
    number = text[at:end]
    if not (number.isascii() and number.isdecimal() and len(number) < _LONGEST_INDEX):
        raise InvalidReference(f"'[{number[:20]}]' is not an index")
    return int(number), end + 1


_LONGEST_INDEX = 10


def function_of(value: Any) -> str | None:
    """The key of a block that calls a function; None for any other value."""
    if isinstance(value, Mapping) and len(value) == 1:
        key = str(next(iter(value)))
        return key if key.lower().startswith(PREFIX) else None
    return None


def is_invoke(value: Any) -> bool:
    """Whether a value calls a function of a provider."""
    key = function_of(value)
    return key is not None and (key.lower() == _INVOKE or is_short_invoke(key))


def is_short_invoke(key: str) -> bool:
    """`fn::aws:ec2:getAmi`, the short form of `fn::invoke`."""
    return 1 <= key[len(PREFIX) :].count(":") <= 2 and "::" not in key[len(PREFIX) :]  # noqa: PLR2004


def token_of(value: Any) -> str:
    """The function that an invoke calls; empty if it names none."""
    key = function_of(value) or ""
    if key.lower() != _INVOKE:
        return key[len(PREFIX) :]
    below = lower_keys(value[key]) if isinstance(value[key], Mapping) else {}
    token = below.get("function", ("", ""))[1]
    return token if isinstance(token, str) else ""


def lower_keys(block: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Key in lower case, as the language compares keys -> the key as written, and its value."""
    return {key.lower(): (key, value) for key, value in block.items()}


def suggest_or(word: str, known: Iterable[str], otherwise: str) -> str:
    """The remedy for an unknown name: the most similar known name, else `otherwise`."""
    near = closest_match(word, known)
    return f"did you mean '{near}'?" if near else otherwise
