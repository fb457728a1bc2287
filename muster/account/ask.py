"""Who answers: AWS, or a test."""

from collections.abc import Sequence
from typing import Protocol

from muster.account.answer import Answer
from muster.account.question import Question


class Ask(Protocol):
    """Puts questions side by side."""

    def __call__(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """The answers, in the order of the questions."""
