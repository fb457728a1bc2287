"""Small wordings that findings share."""

from collections.abc import Iterable

from muster.fleet.unknown import UNKNOWN, UnknownType


def some(things: Iterable[object] | UnknownType) -> str:
    """``a``, ``a and b``, ``a, b and c``; ``none`` for nothing."""
    if things is UNKNOWN:
        return "not yet known"
    return _listed(sorted(str(thing) for thing in things))


def indices(numbers: Iterable[int]) -> str:
    """Numbers in their own order, runs drawn together: ``0``, ``1 and 3``, ``0 to 7 and 9``."""
    runs: list[list[int]] = []
    for each in sorted(set(numbers)):
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return _listed([f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs])


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words) or "none"


def number(count: int, one: str, many: str = "") -> str:
    """``1 node``, ``2 nodes``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
