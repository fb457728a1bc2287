"""A query to AWS: one read-only API call with all its pages, its answer, and who runs it."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

_NOTHING: Mapping[str, Any] = MappingProxyType({})

MAX_PAGES = 40
"""Of one answer. The longest, SageMaker's quotas, fills some sixteen; beyond it the question is not answered."""


QueryKey = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Query:
    """One API call. Which rights it takes, its topic says."""

    service: str
    """botocore's name: ``ec2``, ``service-quotas``."""
    operation: str
    """The API's: ``DescribeSubnets``."""
    about: str
    """What is asked, for people: ``reservation cr-0123456789abcdef0``."""
    parameters: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    absent: frozenset[str] = frozenset()
    """Error codes by which AWS says that there is no such thing. That is an answer."""
    region: str | None = None
    """Where another Region than the stack's answers: prices."""

    @property
    def key(self) -> QueryKey:
        """Two questions with one key are the same."""
        return self.service, self.operation, self.region or "", _written(self.parameters)


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{_written(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_written, value)) + "]"
    return repr(value)


class UnansweredReason(StrEnum):
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

    reason: UnansweredReason
    words: str
    """What AWS, or the network, said: one line."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: exactly one of the three."""

    question: Query
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


def explain_no_answer(answer: Answer) -> str:
    """Why there is nothing in an answer, in AWS's own words: for who asked alone."""
    question, why = answer.question, answer.unanswered
    if why is None:
        return f"{question.about}: AWS says that there is none"
    return f"{question.about}: not answered ({question.service} {question.operation}, {why.reason}): {why.words}"


T = TypeVar("T")

Inquiry = Generator[Sequence[Query], Sequence[Answer], T]
"""Yields questions, gets their answers in the same order, as often as later questions need earlier answers; returns
what these come to. One that has nothing to ask returns at once."""


class RunQueries(Protocol):
    """Puts questions side by side."""

    def __call__(self, questions: Sequence[Query]) -> Sequence[Answer]:
        """The answers, in the order of the questions."""
