"""Which of a user's values brings a fault about. Pure: whoever asks renders.

Values are left out one by one: where a fault goes with one of them, that is the one.
"""

from collections.abc import Callable, Mapping
from typing import Any

Values = Mapping[str, Any]
Path = tuple[str, ...]

Wrong = Callable[[Values], bool]
"""A user's values -> whether the fault is there with them."""


def blamed(values: Values, wrong: Wrong) -> Path | None:
    """The path of the value that brings a fault about, as deep as one value alone does; empty where only several
    together do. None where the fault is there without any: then it is not theirs.

    Args:
        values: the user's own, with which the fault is there.
        wrong: asked of parts of them.
    """
    if wrong({}):
        return None
    path: Path = ()
    while (key := _culprit(values, path, wrong)) is not None:
        path = (*path, key)
    return path


def _culprit(values: Values, path: Path, wrong: Wrong) -> str | None:
    below = values
    for step in path:
        below = below[step]
    if not isinstance(below, Mapping):
        return None
    return next((key for key in below if not wrong(_without(values, (*path, key)))), None)


def _without(values: Values, path: Path) -> dict[str, Any]:
    head, *rest = path
    if not rest:
        return {key: value for key, value in values.items() if key != head}
    return {**values, head: _without(values[head], tuple(rest))}
