"""What to do about a finding, as data where it can be: an edit of one field. Its sentence follows from it."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from muster.message_text import or_list


class Action(StrEnum):
    """What an edit does with its field."""

    SET = "set"
    LOWER = "lower"
    RAISE = "raise"
    REMOVE = "remove"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a document that mends a finding."""

    action: Action
    values: tuple[Any, ...] = ()
    """Plain values, of which each mends it; none for `REMOVE`, and where only `words` describe the value."""
    at: str = ""
    """The field, as in the description (``nodes.max``); empty for the finding's own."""
    words: str = ""
    """The value in words: ``a subnet in us-west-2a``. Or what follows the value: ``until the plan is active``."""
    in_program: tuple[Any, ...] | None = None
    """The values as properties of a program have them, where they differ: ``ON_DEMAND``."""
    also: "tuple[Edit, ...]" = ()
    """Edits of a description that go with it, with their paths from the root: without them, it brings another fault."""

    @property
    def applicable(self) -> bool:
        """Whether it is the one edit that can be made without a person."""
        return self.action is Action.REMOVE or (len(self.values) == 1 and not self.words)


def set_to(*values: Any, at: str = "", words: str = "", in_program: Any = None, also: tuple[Edit, ...] = ()) -> Edit:
    """Set the field to one of the values, or to what the words say."""
    own = in_program if in_program is None or isinstance(in_program, tuple) else (in_program,)
    return Edit(Action.SET, values, at, words, own, also)


def lower_to(value: int, at: str = "", words: str = "", also: tuple[Edit, ...] = ()) -> Edit:
    """Lower a number. With words, it is not the field's number alone: ``in total of a and b``."""
    return Edit(Action.LOWER, () if words else (value,), at, f"{value} {words}" if words else "", also=also)


def raise_to(value: int, at: str = "", words: str = "") -> Edit:
    """Raise a number."""
    return Edit(Action.RAISE, (value,), at, words)


def remove(at: str = "") -> Edit:
    """Remove the key."""
    return Edit(Action.REMOVE, (), at)


def add(*values: Any, at: str = "", words: str = "") -> Edit:
    """Add values to a list or a block."""
    return Edit(Action.ADD, values, at, words)


Remedy = Edit | str
"""An edit, or a sentence about what is no field of the document."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How one kind of document names what Pulumi's resources have. Rules write with them; no text is edited after it is
    written."""

    key: Callable[[str], str] = str
    """A property with Pulumi's name (``scalingConfig.maxSize``) -> the document's key."""
    type: Callable[[str], str] = str
    """A type of resource with the name that a program has (``aws.autoscaling.Schedule``) -> the document's."""
    document: str = "program"
    deploy: str = "`pulumi up`"
    later: str = "known only after `pulumi up`"
    """Why a value is not known."""
    edits: dict[str, "Remedy"] = field(default_factory=dict)
    """An edit in Pulumi's terms -> the document's, where it has another kind of switch: ``set
    metadataOptions.httpTokens to required`` -> ``set disableIMDSv1: true``."""


PULUMI = Terms()
OF_FILE = Terms(document="file", deploy="the deployment", later="not in the file")
"""A file of another tool."""


def sentence(edit: Edit, key: str) -> str:
    """The edit of a description, whose keys have values as in YAML: ``set nodes.max: 4``."""
    if edit.action is Action.SET and len(edit.values) == 1:
        return _joined(f"set {key}: {flow_text(edit.values[0])}", edit.words)
    return _in_words(edit, key, edit.values)


_SEVERAL_KEYS = " or "


def of_document(edit: Edit, property_: str, terms: Terms) -> tuple[Remedy, str]:
    """The edit of a resource's property in the terms of its document, and its sentence: ``set scalingConfig.maxSize to
    4``. Only the sentence, where the document has several keys for the property, or the value is in words."""
    values = edit.values if edit.in_program is None else edit.in_program
    if own := terms.edits.get(_in_words(edit, property_, values)):
        return own, own if isinstance(own, str) else sentence(own, own.at)
    key = terms.key(property_)
    words = _in_words(edit, key, values)
    if _SEVERAL_KEYS in key or any(" " in str(each) for each in edit.in_program or ()):
        return words, words
    return replace(edit, at=key, values=values, in_program=None), words


def _in_words(edit: Edit, key: str, values: tuple[Any, ...]) -> str:
    value = or_list(each if isinstance(each, str) else flow_text(each) for each in values) if values else ""
    match edit.action:
        case Action.REMOVE:
            return f"remove {key}"
        case Action.ADD:
            return f"add {_joined(value, edit.words)} to {key}"
        case _:
            return f"{edit.action} {key} to {_joined(value, edit.words)}"


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*|\d+\.\d+\.\d+\.\d+/\d+|\d+(GiB|MiB)")
"""Text that every YAML reader reads as text without quotes, except the words below."""

_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Words that YAML reads as another type, including those of YAML 1.1, which the engine's reader may use."""


def flow_text(value: Any) -> str:
    """A value as YAML has it in one line: ``false``, ``{training-plan: {...}}``, ``[us-west-2a]``, ``"1.35"``."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{flow_text(key)}: {flow_text(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(flow_text, value))}]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return "".join(map(_escaped, json.dumps(value, ensure_ascii=False)))


def _escaped(char: str) -> str:
    """A character, escaped where YAML requires it. JSON's escapes would split a character above U+FFFF in two."""
    return char if char.isprintable() else f"\\U{ord(char):08x}"
