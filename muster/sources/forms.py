"""The keys of a file format, with the kind of each value, and which of them no rule evaluates. A reader checks a file
against its table: a value of another kind is an error with its place, and a part that no rule evaluates is a gap."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.message_text import did_you_mean, show_value
from muster.sources.source import Gap, InputFile
from muster.unknown import UNKNOWN


class Form(StrEnum):
    """The kind of a value, in words."""

    SCALAR = "a single value"
    SCALARS = "a list of single values"
    BLOCK = "a block of keys"
    BLOCKS = "a list of blocks"
    ANY = "any value"


@dataclass(frozen=True, slots=True)
class Key:
    """One key."""

    form: Form
    below: "Mapping[str, Key]" = field(default_factory=dict)
    """The keys of a block, or of each block of a list; none if every key is allowed."""
    missing: str = ""
    """What no rule evaluates; empty if rules evaluate it, or nothing depends on it."""
    most: int | None = None
    """The number of blocks that the service accepts."""


SCALAR, SCALARS, ANY = map(Key, (Form.SCALAR, Form.SCALARS, Form.ANY))


def block(**below: Key) -> Key:
    """A key with a block."""
    return Key(Form.BLOCK, below)


def blocks(**below: Key) -> Key:
    """A key with a list of blocks."""
    return Key(Form.BLOCKS, below)


def unread(form: Form, missing: str) -> Key:
    """A key that no rule evaluates, and why."""
    return Key(form, {}, missing)


def at_most(most: int, key: Key) -> Key:
    """A key with a limit for the number of its blocks."""
    return replace(key, most=most)


def check_form(file: InputFile, values: Mapping[str, Any], keys: Mapping[str, Key], path: KeyPath = ()) -> None:
    """Checks that each known key has a value of its kind. An absent value and an unknown one have every kind.

    Raises:
        InvalidFile: a value has another kind.
    """
    for name, value in values.items():
        if name in keys:
            _check(file, value, keys[name], (*path, name))


def _check(file: InputFile, value: Any, key: Key, path: KeyPath) -> None:
    if value is None or value is UNKNOWN:
        return
    if not _has_form(value, key.form):
        got = f"{dotted_path(path)} is {show_value(value)}, but must be {key.form}"
        raise file.fault(path, got, f"write {key.form}")
    if key.most is not None and isinstance(value, list):
        refuse_more(file, len(value), key.most, path)
    if key.form is Form.BLOCK:
        check_form(file, value, key.below, path)
    elif key.form is Form.BLOCKS:
        for index, each in enumerate(value):
            check_item(file, each, key.below, (*path, index))


def refuse_more(file: InputFile, count: int, most: int, path: KeyPath) -> None:
    """Refuses more parts than the service creates, before each of them is read.

    Raises:
        InvalidFile: there are more.
    """
    if count > most:
        got = f"{dotted_path(path)} has {count} items, but the service accepts at most {most}"
        raise file.fault(path, got, "remove items, or write a second cluster")


def check_item(file: InputFile, value: Any, keys: Mapping[str, Key], path: KeyPath) -> None:
    """Checks one block of a list.

    Raises:
        InvalidFile: it is not a block, or a value in it has another kind.
    """
    if value is UNKNOWN:
        return
    if not isinstance(value, Mapping):
        got = f"{dotted_path(path)} is {show_value(value)}, but must be {Form.BLOCK}"
        raise file.fault(path, got, f"write {Form.BLOCK}, or remove the item")
    check_form(file, value, keys, path)


def _has_form(value: Any, form: Form) -> bool:
    if form is Form.ANY:
        return True
    if form in (Form.BLOCK, Form.BLOCKS):
        return isinstance(value, Mapping if form is Form.BLOCK else list)
    if form is Form.SCALARS:
        return isinstance(value, list) and not any(isinstance(each, Mapping | list) for each in value)
    return not isinstance(value, Mapping | list)


def gaps_of(values: Mapping[str, Any], keys: Mapping[str, Key], tool: str, path: KeyPath = ()) -> Iterator[Gap]:
    """The parts that no rule evaluates, and keys that are not in the table.

    Args:
        values: the block.
        keys: its table.
        tool: the name of the tool that reads the file.
        path: where the block is in the file.
    """
    for name, value in values.items():
        at = (*path, name)
        key = keys.get(name)
        if key is None:
            hint = did_you_mean(str(name), keys)
            yield Gap(dotted_path(at), f"Muster does not know this key of {tool}{hint}")
        elif key.missing and value is not None:
            yield Gap(dotted_path(at), key.missing)
        elif key.below and isinstance(value, Mapping):
            yield from gaps_of(value, key.below, tool, at)
        elif key.below and isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, Mapping):
                    yield from gaps_of(each, key.below, tool, (*at, index))
