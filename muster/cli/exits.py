"""Exit codes, and the errors that lead to them."""

from collections.abc import Iterable
from enum import IntEnum

from muster.message_text import shorten


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


class WrongInput(Exception):
    """Input that cannot be used. Each argument is one line: an error with its remedy, or, indented, more about it. Exit
    code 2."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*map(shorten, lines))

    def __str__(self) -> str:
        """All lines."""
        return "\n".join(map(str, self.args))
