"""Exit codes."""

from collections.abc import Iterable
from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of `muster`."""

    CLEAN = 0
    """No mandatory findings. Advisory findings are printed and counted, but do not change the exit code."""
    FINDINGS = 1
    """A mandatory rule has findings."""
    INPUT = 2
    """Muster cannot use the input: a schema error in a file, an unknown name, wrong usage."""
    BUG = 3
    """A bug in Muster."""
    UNJUDGED = 4
    """`--strict` was given, and a rule was not evaluated."""


_WORST_FIRST = (Exit.BUG, Exit.INPUT, Exit.FINDINGS, Exit.UNJUDGED)


def worst(exits: Iterable[Exit]) -> Exit:
    """One code for several outcomes. A bug comes first, then wrong input, because it may hide findings."""
    met = set(exits)
    return next((code for code in _WORST_FIRST if code in met), Exit.CLEAN)
