"""Who asks, and who answers: AWS, or a test."""

from collections.abc import Generator, Sequence
from typing import Protocol, TypeVar

from muster.account.answer import Answer
from muster.account.question import Question

T = TypeVar("T")

Inquiry = Generator[Sequence[Question], Sequence[Answer], T]
"""Yields questions, gets their answers in the same order, as often as later questions need earlier answers; returns
what these come to. One that has nothing to ask returns at once."""


class Ask(Protocol):
    """Puts questions side by side."""

    def __call__(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """The answers, in the order of the questions."""
