"""Exit codes, and the errors that lead to them."""

from collections.abc import Iterable
from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of `muster`."""

    CLEAN = 0
    """No mandatory findings. Advisory findings are printed and counted, and do not change the exit code."""
    FINDINGS = 1
    """A mandatory rule found something."""
    INPUT = 2
    """The input cannot be judged: a fault in a file's form, an unknown name, wrong usage."""
    BUG = 3
    """Muster itself is wrong."""
    UNJUDGED = 4
    """`--strict`, and something was not evaluated."""


_WORST_FIRST = (Exit.BUG, Exit.INPUT, Exit.FINDINGS, Exit.UNJUDGED)


def worst(exits: Iterable[Exit]) -> Exit:
    """The one code for several outcomes: a bug hides nothing behind it, a form fault leaves findings unseen."""
    met = set(exits)
    return next((code for code in _WORST_FIRST if code in met), Exit.CLEAN)


class WrongInput(Exception):
    """Input that cannot be used; the message names it and gives the remedy. Exit 2."""
