"""Offers the word the user probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches

_CUTOFF = 0.75
"""`instanse` is nearer than this to `instance`; `efaEnabled` is not to `self-managed`, though both end alike."""

_SHORT = 4
"""Of words this short one letter is much: they begin with the same one (`none` is not `one`)."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is nearly this one, None where none is. Capitals, and dashes for underscores, are near, and
    so are the same letters in another order behind the first: of seven, two that are swapped leave too few in place.

    A number is near no other: 180 is not what 10 was meant to be.
    """
    if word.isdecimal():
        return None
    sought = _folded(word)
    folded = {_folded(each): each for each in known}
    possible = [each for each in folded if len(each) > _SHORT or each[:1] == sought[:1]]
    close = get_close_matches(sought, possible, n=1, cutoff=_CUTOFF)
    swapped = (each for each in possible if each[:1] == sought[:1] and sorted(each) == sorted(sought))
    found = close[0] if close else next(swapped, None)
    return folded[found] if found else None


def _folded(word: str) -> str:
    return word.lower().replace("_", "-")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'reservation'?"`` for a near miss, the empty string for anything further away."""
    close = nearest(word, known)
    return f"; did you mean '{close}'?" if close else ""
