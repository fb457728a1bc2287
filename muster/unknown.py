"""The value that a preview does not know yet, and what happens to a rule that reads it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal, Never, overload

from typing_extensions import TypeVar


class Unknown(Enum):
    """One member: a property whose value exists only after the engine created the resource.

    It is not ``None``: ``None`` means "not set", which a rule may judge; unknown may only be "not evaluated".
    """

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("an unknown value is neither true nor false: test `is UNKNOWN` first")


UNKNOWN: Final = Unknown.UNKNOWN
UnknownType = Literal[Unknown.UNKNOWN]
EMPTY: Any = UNKNOWN
"""The same, for a field of what rules read: an empty slot, whatever the field's type."""

U = TypeVar("U", bound=UnknownType, covariant=True, default=Never)  # noqa: PLC0105  (a field's type names it)
"""What a value may be beside a known one. `NodeGroup` is what a rule reads, and what Muster derives of a description:
every value is known, or the read raises `NotKnown`. A view makes `NodeGroup[UnknownType]`."""


class NotKnown(Exception):
    """A value that a rule needs is not known. The engine records the rule as not evaluated on the thing it judges."""

    def __init__(self, what: str, thing: Any = None) -> None:
        super().__init__(what)
        self.what = what
        self.thing = thing
        """The thing whose field is unknown; None for a fact that is missing."""

    def on(self, judged: object, later: str) -> str:
        """What is not known, for a reader who sees the judged thing's name.

        Args:
            judged: the thing.
            later: why it is not known, of the document's terms.
        """
        if self.thing is None:
            return self.what
        ref = getattr(self.thing, "ref", None)
        of_other = f" of {ref.name}" if ref and self.thing is not judged else ""
        return f"{self.what}{of_other} ({later})"


_must_be_known = ContextVar("_must_be_known", default=False)


@contextmanager
def must_be_known() -> Iterator[None]:
    """Within it, reading an unknown field raises `NotKnown`. The engine evaluates every rule within it."""
    token = _must_be_known.set(True)
    try:
        yield
    finally:
        _must_be_known.reset(token)


T = TypeVar("T")
D = TypeVar("D")


@overload
def if_known(read: Callable[[], T]) -> T | None: ...
@overload
def if_known(read: Callable[[], T], default: D) -> T | D: ...
def if_known(read: Callable[[], Any], default: Any = None) -> Any:
    """The value, or the default where something that it needs is not known."""
    with must_be_known():
        try:
            return read()
        except NotKnown:
            return default


def known(read: Callable[[], object]) -> bool:
    """Whether everything that the value needs is known."""
    missing = object()
    return if_known(read, missing) is not missing


def needed(*values: object) -> None:
    """Says that a rule cannot finish without these: reading one that is not known raises `NotKnown`."""


def any_of(*answers: Callable[[], bool]) -> bool:
    """Whether one of the answers is yes.

    Raises:
        NotKnown: none is, and one is not known.
    """
    unknown: NotKnown | None = None
    with must_be_known():
        for answer in answers:
            try:
                if answer():
                    return True
            except NotKnown as missing:
                unknown = missing
    if unknown:
        raise unknown
    return False


def all_of(*answers: Callable[[], bool]) -> bool:
    """Whether all answers are yes.

    Raises:
        NotKnown: none is no, and one is not known.
    """
    return not any_of(*(lambda answer=answer: not answer() for answer in answers))


def stored(thing: object, field: str, default: Any = UNKNOWN) -> Any:
    """A field as it is stored; the default where it is unknown. For indexes over all things, which one unknown value
    must not stop."""
    try:
        value = object.__getattribute__(thing, field)
    except NotKnown:
        return default
    except AttributeError:
        if field not in _fields(type(thing)):
            raise
        return default
    return default if value is UNKNOWN else value


class Observed:
    """Base of what rules read: resources and their parts. An unknown field is an empty slot, so that only its read
    costs time: it raises `NotKnown` within `must_be_known`, and gives `UNKNOWN` elsewhere."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name in _fields(type(self)):
            if getattr(self, name) is UNKNOWN:
                object.__delattr__(self, name)

    if not TYPE_CHECKING:  # a type checker would take any name for a field

        def __getattr__(self, name: str) -> Unknown:
            if name not in _fields(type(self)):
                raise AttributeError(f"{type(self).__name__} has no {name}")
            if _must_be_known.get():
                raise NotKnown(name.replace("_", " "), self)
            return UNKNOWN


def _fields(kind: type) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = kind.__dict__["__dataclass_fields__"]
    return fields


def has_unknown(value: Any) -> bool:
    """Whether a part of plain data is unknown, or the whole is."""
    if isinstance(value, Mapping):
        return any(map(has_unknown, value.values()))
    return any(map(has_unknown, value)) if isinstance(value, list | tuple) else value is UNKNOWN


UNKNOWN_WORD = "[unknown]"
"""How it is printed: in Muster's plans, and in the engine's previews."""
SECRET_WORD = "[secret]"  # noqa: S105  (the word itself)
"""How a secret value is printed there."""
