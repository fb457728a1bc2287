"""Positions in the files of users."""

from typing import NamedTuple, Self


class Position(NamedTuple):
    """A position in a file. Both numbers begin at 1."""

    line: int
    column: int

    @classmethod
    def of_index(cls, text: str, at: int) -> Self:
        """The position of the character with an index, in a text."""
        return cls(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


NOWHERE = Position(0, 0)
"""The position in a file that does not exist."""
