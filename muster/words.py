"""Lists and numbers in words."""

from collections.abc import Iterable

_MOST = 4


def listed(names: Iterable[str]) -> str:
    """Some names, and how many more."""
    every = list(names)
    more = f" and {len(every) - _MOST} more" if len(every) > _MOST else ""
    return ", ".join(every[:_MOST]) + more


def shortened(text: str, most: int = 40) -> str:
    """A text, or its beginning with ``...``, where somebody may have written pages."""
    return text if len(text) <= most else f"{text[:most]}..."


def counted(number: int, noun: str, several: str = "") -> str:
    """``1 node``, ``4 nodes``; ``several`` where it is not the noun with an s."""
    return f"{number} {noun if number == 1 else several or noun + 's'}"
