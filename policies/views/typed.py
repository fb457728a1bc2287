"""What a program writes in another type than a property has is not known: rules are asked about typed things only.

SDKs let any value through, and providers refuse it long after: a list where a zone's name belongs must neither crash a
rule nor pass for a zone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from muster.fleet.unknown import UNKNOWN, U, may_be_unknown

T = TypeVar("T")


def typed(thing: T) -> T:
    """A judged thing in which every value of another type than its field's is not known."""
    kind: Any = type(thing)  # mypy takes no type for hashable
    given = {name: getattr(thing, name) for name, _ in _fields(kind)}
    kept = {name: _inner(given[name]) if _is(given[name], form) else UNKNOWN for name, form in _fields(kind)}
    odd = {name: value for name, value in kept.items() if value is not given[name]}
    return replace(thing, **odd) if odd else thing  # type: ignore[type-var]


def _inner(value: Any) -> Any:
    """The same of what a thing consists of: an interface's subnet, a volume's size."""
    if isinstance(value, tuple | frozenset) and any(map(is_dataclass, value)):
        parts = [_inner(each) for each in value]
        return value if all(a is b for a, b in zip(parts, value, strict=True)) else type(value)(parts)
    return typed(value) if is_dataclass(value) and not isinstance(value, type) else value


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """The fields that may be unknown, with their types."""
    assert is_dataclass(kind)
    made = {name for name, field in kind.__dataclass_fields__.items() if field.init}
    hints = get_type_hints(kind)
    return tuple((name, hint) for name, hint in hints.items() if name in made and may_be_unknown(hint))


def _is(value: Any, kind: Any) -> bool:
    """Whether a value is of a type; of what is listed in it, each."""
    if kind is Any or kind is U:
        return kind is Any or value is UNKNOWN
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return any(value is each for each in inner)
    if origin is None:
        # True is a number to Python, to nobody else.
        return isinstance(value, kind) and (kind is not int or not isinstance(value, bool))
    if isinstance(origin, type) and is_dataclass(origin):
        return isinstance(value, origin)
    if not isinstance(origin, type) or not issubclass(origin, tuple | frozenset | Mapping):
        return any(_is(value, each) for each in inner)
    return isinstance(value, origin) and all(_is(one, each) for one, each in _inside(value, inner))


def _inside(value: Any, inner: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """What a tuple or a set holds, with its types; of mappings nothing is asked."""
    if isinstance(value, Mapping):
        return
    kinds = inner if isinstance(value, tuple) and Ellipsis not in inner else (inner[0],) * len(value)
    yield from zip(value, kinds, strict=False)
