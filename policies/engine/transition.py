"""Until every rule leaves unknown values to the engine: between functions that return `(value, missing)` and those that
raise `NotKnown`. Goes with the last of the former."""

from collections.abc import Callable
from typing import Any, TypeVar

from muster.unknown import NotKnown, must_be_known

T = TypeVar("T")


def taken(pair: tuple[T, str]) -> T:
    """Of an old function's result, for a converted rule."""
    if pair[1]:
        raise NotKnown(pair[1])
    return pair[0]


def pair_of(read: Callable[[], T], empty: Any = None) -> tuple[T | Any, str]:
    """Of a converted function's result, for an old rule."""
    try:
        with must_be_known():
            return read(), ""
    except NotKnown as missing:
        return empty, missing.on(None)
