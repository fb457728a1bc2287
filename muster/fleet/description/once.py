"""Lists in which nothing stands twice."""

from typing import TypeVar

T = TypeVar("T")


def each_once(values: tuple[T, ...]) -> tuple[T, ...]:
    """The values, each of them given once.

    Raises:
        ValueError: names the first that is given twice.
    """
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{value} is given twice; keep one")
    return values
