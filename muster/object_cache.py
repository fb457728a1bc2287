"""Caches results of functions that many rules call with the same object."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class _Same(Generic[T]):
    """An object that is equal only to itself: two equal objects may be in different places."""

    __slots__ = ("thing",)

    def __init__(self, thing: T) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.thing is self.thing


def cached_by_identity(most: int) -> Callable[[Callable[[T], R]], Callable[[T], R]]:
    """Caches a function's results for the last `most` objects, which never change."""

    def wrap(function: Callable[[T], R]) -> Callable[[T], R]:
        answer = lru_cache(maxsize=most)(lambda same: function(same.thing))

        @wraps(function)
        def ask(thing: T) -> R:
            return answer(_Same(thing))

        return ask

    return wrap
