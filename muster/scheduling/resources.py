"""Amounts of resources: what pods request, and what a node has for them.

An amount is in its resource's base unit (`muster.kubernetes_quantity`). A resource that is not listed is zero.
"""

from collections.abc import Mapping

Amounts = Mapping[str, int]
"""Resource -> how much of it."""


def times(number: int, amounts: Amounts) -> dict[str, int]:
    """The amounts multiplied by a number."""
    return {resource: number * amount for resource, amount in amounts.items()}


def left(room: Amounts, taken: Amounts) -> dict[str, int]:
    """The remaining amounts; less than zero if more is used than exists."""
    return {resource: amount - taken.get(resource, 0) for resource, amount in room.items()}


def shortages(requested: Amounts, room: Amounts) -> dict[str, int]:
    """The resources that are too scarce, in the order of the request -> the existing amount."""
    there = {resource: room.get(resource, 0) for resource in requested}
    return {resource: amount for resource, amount in there.items() if amount < requested[resource]}


def copies_that_fit(requested: Amounts, room: Amounts) -> int:
    """The number of pods with this request that fit.

    Raises:
        ValueError: the request is for nothing.
    """
    return min(max(0, room.get(resource, 0)) // amount for resource, amount in requested.items() if amount)
