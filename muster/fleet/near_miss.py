"""Offers the word the user probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is nearly this one, None where none is. Capitals, and dashes for underscores, are near."""
    folded = {_folded(each): each for each in known}
    close = get_close_matches(_folded(word), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def _folded(word: str) -> str:
    return word.lower().replace("_", "-")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'reservation'?"`` for a near miss, the empty string for anything further away."""
    close = nearest(word, known)
    return f"; did you mean '{close}'?" if close else ""
