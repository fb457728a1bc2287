"""Values as plain data, as `json.dumps` and configuration documents take them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

from muster.unknown import UNKNOWN, UNKNOWN_WORD


def _as_it_is(value: Any) -> Any:
    return value


def to_plain(value: Any, form: Callable[[Any], Any] = _as_it_is) -> Any:
    """Plain data: sets sorted, unknowns as one fixed word, everything else as text.

    Args:
        value: whatever it is.
        form: returns a custom value as a map, a list or a scalar, and other values unchanged.
    """
    value = form(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(below, form) for key, below in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((to_plain(each, form) for each in value), key=str)
    if isinstance(value, list | tuple):
        return [to_plain(each, form) for each in value]
    return _word(value)


def _word(value: Any) -> Any:
    if value is UNKNOWN:
        return UNKNOWN_WORD
    if isinstance(value, Enum):
        return value.value
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def with_scalars(value: Any, change: Callable[[Any], Any]) -> Any:
    """Plain data with each scalar in it changed, at any depth; tuples become lists."""
    if isinstance(value, Mapping):
        return {key: with_scalars(each, change) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [with_scalars(each, change) for each in value]
    return change(value)


def with_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """Plain data with each text in it changed."""
    return with_scalars(value, lambda each: change(each) if isinstance(each, str) else each)


def drop_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that have a value, in their order: AWS distinguishes a key without a value from no key."""
    return {key: value for key, value in values.items() if value is not None}


def as_list(value: Any) -> list[Any]:
    """A list unchanged, any other value as a list of one, and None as an empty list."""
    return value if isinstance(value, list) else [] if value is None else [value]


def scalar_text(value: object) -> str:
    """A scalar as text. Booleans are lowercase, as in YAML and JSON."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_at(values: Any, *path: str) -> Any:
    """The value at a path, `UNKNOWN` where something on the way is; None where it, or what should hold it, is not
    there."""
    for key in path:
        if values is UNKNOWN:
            return UNKNOWN
        values = values.get(key) if isinstance(values, Mapping) else None
    return values


def mappings_at(values: Any, *path: str) -> list[Mapping[str, Any]]:
    """The entries of a list at a path; none where no list is there, and none that is no mapping."""
    listed = value_at(values, *path)
    return [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []


def parts_of(value: Any) -> Iterable[tuple[str | int, Any]]:
    """The parts of a mapping or a list, by key or index; none of another value."""
    return value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()


def texts_in(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text in a value, with its path."""
    if isinstance(value, str):
        yield path, value
    for step, below in parts_of(value):
        yield from texts_in(below, (*path, step))


NULLS_ALLOWED: dict[str, Any] = {"x-null": "the fact is not known"}
"""Marks the models that take null for "not known"."""


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """One mapping merged over the other. A null stays: it deletes the default of a chart, which is not here."""
    result = dict(below)
    for key, value in above.items():
        under = result.get(key)
        result[key] = merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return result
