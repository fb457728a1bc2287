"""The one finding type of validation, rules, rehearsal and preflight, the errors for Muster's own faults and for input
that it cannot use, and the dotted paths that findings name."""

from dataclasses import dataclass, field
from enum import StrEnum

from muster.edits import Remedy
from muster.message_text import shorten
from muster.whole_number import whole_number

KeyPath = tuple[str | int, ...]
"""The way to a value from the document's root: keys and list indices."""


class Level(StrEnum):
    """What a finding does: ``mandatory`` stops, ``advisory`` only informs."""

    MANDATORY = "mandatory"
    ADVISORY = "advisory"


SCHEMA = "schema"
"""The rule name of schema errors (types, keys, syntax); they exit 2 where a rule's finding exits 1."""
NOT_MODELLED = "not-modelled"
"""The rule name of findings about what cannot be read: no rule evaluates it."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One fault: where it is, what was found there, what to do about it."""

    where: str
    """Dotted path in the user's document (``groups.workers.capacity.reservation.zone``), or a resource's URN."""
    rule: str
    level: Level
    got: str
    remedy: str
    """An action, not the rule repeated."""
    resource: str = ""
    """The thing at fault: ``groups.workers``, or a resource's URN."""
    about_key: bool = field(default=False, compare=False)
    """Whether the key is at fault, which is unknown or has no value: then the position is the key's."""
    property: str = field(default="", compare=False)
    """The property at fault, with Pulumi's name; empty in a description, and where it is about the whole resource."""
    changes: tuple[Remedy, ...] = field(default=(), compare=False)
    """The alternatives of `remedy`, of which each mends it: edits with the whole paths of their fields in a
    description, or with the document's keys; and sentences, for a person."""
    inside: KeyPath = field(default=(), compare=False)
    """The block at fault inside a resource that has several: of `Place.inside`."""

    def __post_init__(self) -> None:
        """Shortens the texts: values of files stand in them."""
        object.__setattr__(self, "got", shorten(self.got))
        object.__setattr__(self, "remedy", shorten(self.remedy))


@dataclass(frozen=True, slots=True, order=True)
class NotEvaluated:
    """A resource that a rule could not evaluate, and the missing fact. Never counted as a pass."""

    rule: str
    resource: str
    missing: str

    def __post_init__(self) -> None:
        """Shortens the text: values of files stand in it."""
        object.__setattr__(self, "missing", shorten(self.missing))


class OurBug(Exception):
    """Muster contradicts itself: exit 3. Each argument is one line of the message."""


class WrongInput(Exception):
    """Input that cannot be used. Each argument is one line: an error with its remedy, or, indented, more about it. Exit
    code 2."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*map(shorten, lines))

    def __str__(self) -> str:
        """All lines."""
        return "\n".join(map(str, self.args))


def dotted_path(path: KeyPath) -> str:
    """``groups.workers.access[0].policy``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def parse_dotted_path(where: str) -> KeyPath:
    """The path that a dotted place names: ``access[0].policy`` -> ("access", 0, "policy"). Keys with dots cannot be
    distinguished from steps; the nearest block that exists is still found."""
    steps: list[str | int] = []
    for part in where.split(".") if where else ():
        name, *indices = part.replace("]", "").split("[")
        steps += [name, *(index if (number := whole_number(index)) is None else number for index in indices)]
    return tuple(steps)
