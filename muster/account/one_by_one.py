"""Things that an account has many of, and that are asked about one by one. Pure."""

from collections.abc import Sequence

MOST = 40
"""Where there are more, nothing is known of them: a list, or a sum, that lacks some would be taken for all."""


def told(number: int, known: Sequence[str] | None) -> str:
    """The words for what a list comes to, asked about one by one; None where that is not known."""
    if number > MOST:
        return f"{number}, and {MOST} at most are asked about one by one: not known"
    return f"{number} to ask about, not all answered: not known" if known is None else ", ".join(known) or "none"
