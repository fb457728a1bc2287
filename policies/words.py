"""Small wordings that findings share."""

from collections.abc import Iterable

from muster.fleet.unknown import UNKNOWN, UnknownType


def some(things: Iterable[object] | UnknownType) -> str:
    """``a``, ``a and b``, ``a, b and c``; ``none`` for nothing."""
    if things is UNKNOWN:
        return "not yet known"
    words = sorted(str(thing) for thing in things)
    if len(words) < 2:
        return words[0] if words else "none"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def number(count: int, one: str, many: str = "") -> str:
    """``1 node``, ``2 nodes``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
