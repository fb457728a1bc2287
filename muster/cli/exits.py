"""Exit codes, and the errors that lead to them."""

from collections.abc import Iterable
from enum import IntEnum


class Exit(IntEnum):
    """What the exit code of `muster` says."""

    CLEAN = 0
    """Nothing mandatory was found. Advisory findings are printed and counted, they stop nobody."""
    FINDINGS = 1
    """A mandatory rule found something."""
    INPUT = 2
    """What was given cannot be judged: a fault in a file's form, an unknown name, wrong usage."""
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
    """What the user gave cannot be used; the message says what and what to do. Exit 2."""


class OurBug(Exception):
    """Muster contradicts itself. Exit 3."""
