"""A query to AWS: one read-only API call with all its pages, its answer, and the protocol of its runner."""

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
    """One API call. Its topic lists the IAM rights for it."""

    service: str
    """botocore's name: ``ec2``, ``service-quotas``."""
    operation: str
    """The API's: ``DescribeSubnets``."""
    about: str
    """The subject, for people: ``reservation cr-0123456789abcdef0``."""
    parameters: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    absent: frozenset[str] = frozenset()
    """Error codes that mean that the resource does not exist. That is an answer."""
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
    """The identity lacks the right."""
    THROTTLED = "throttled"
    """AWS throttled every attempt."""
    TIMED_OUT = "timed out"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """AWS answered with another error."""
    UNREADABLE = "unreadable"
    """What came is no answer of AWS's, or a part of one."""
    INCOMPLETE = "incomplete"
    """The answer lacks the members that were queried."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Why a question has no answer."""

    reason: UnansweredReason
    words: str
    """AWS's error, or the network's: one line."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: exactly one of the three."""

    question: Query
    result: Mapping[str, Any] | None = None
    """The response by the API's keys, with the lists of all pages joined."""
    absent: bool = False
    """The resource does not exist."""
    unanswered: Unanswered | None = None
    calls: int = 1
    """How many requests it took, repeated ones counted."""

    @property
    def answered(self) -> bool:
        """Whether AWS answered, also with "there is none"."""
        return self.unanswered is None


def explain_no_answer(answer: Answer) -> str:
    """Why an answer has no result, with AWS's error. It is shown only to the user who runs the command."""
    question, why = answer.question, answer.unanswered
    if why is None:
        return f"{question.about}: AWS says that there is none"
    return f"{question.about}: not answered ({question.service} {question.operation}, {why.reason}): {why.words}"


T = TypeVar("T")

Inquiry = Generator[Sequence[Query], Sequence[Answer], T]
"""Yields queries and gets their answers in the same order, in rounds, as later queries need earlier answers; returns
the result. One without queries returns at once."""


class RunQueries(Protocol):
    """Puts questions side by side."""

    def __call__(self, questions: Sequence[Query]) -> Sequence[Answer]:
        """The answers, in the order of the questions."""
