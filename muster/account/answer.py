"""What became of a question."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from muster.account.question import Question


class Reason(StrEnum):
    """Why there is no answer. None of them means that all is well."""

    DENIED = "denied"
    """This identity may not ask."""
    THROTTLED = "throttled"
    """AWS said "too many requests" until the attempts were used up."""
    TIMED_OUT = "timed out"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """AWS answered with another error."""
    UNREADABLE = "unreadable"
    """What came is no answer of AWS's, or a part of one."""
    INCOMPLETE = "incomplete"
    """AWS answered, and left out what is asked for."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Why a question has no answer."""

    reason: Reason
    words: str
    """What AWS, or the network, said: one line."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: exactly one of the three."""

    question: Question
    result: Mapping[str, Any] | None = None
    """What AWS said, by the API's keys, lists of all pages joined."""
    absent: bool = False
    """AWS said that there is no such thing."""
    unanswered: Unanswered | None = None
    calls: int = 1
    """How many requests it took, repeated ones counted."""

    @property
    def answered(self) -> bool:
        """Whether AWS said anything, be it that there is no such thing."""
        return self.unanswered is None


def said_nothing(answer: Answer) -> str:
    """Why there is nothing in an answer, in AWS's own words: for who asked alone."""
    question, why = answer.question, answer.unanswered
    if why is None:
        return f"{question.about}: AWS says that there is none"
    return f"{question.about}: not answered ({question.service} {question.operation}, {why.reason}): {why.words}"
