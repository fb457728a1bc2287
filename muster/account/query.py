"""A query to AWS: one read-only API call with all its pages, its answer, and the protocol of its runner."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

_NOTHING: Mapping[str, Any] = MappingProxyType({})

MAX_PAGES = 40
"""The maximum number of pages of an answer. The longest answer, SageMaker's quotas, has about 16 pages; a longer one
counts as unanswered."""


QueryKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Query:
    """One API call. Its topic lists the IAM permissions for it."""

    service: str
    """botocore's name: ``ec2``, ``service-quotas``."""
    operation: str
    """The API's name: ``DescribeSubnets``."""
    about: str
    """The subject, as text: ``reservation cr-0123456789abcdef0``."""
    parameters: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    absent: frozenset[str] = frozenset()
    """Error codes that mean that the resource does not exist, which is an answer."""
    needs: tuple[str, ...] = ()
    """The members that an answer must have, by path: ``Subnets[].SubnetId``. ``A|B`` is one of two, ``A?`` may be
    missing. AWS's models require hardly any; an entry that is not told may be what the query is about."""

    @property
    def key(self) -> QueryKey:
        """Two queries with the same key are the same query."""
        return self.service, self.operation, _written(self.parameters)


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{_written(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_written, value)) + "]"
    return repr(value)


class UnansweredReason(StrEnum):
    """Why there is no answer. No reason means that a check passed."""

    DENIED = "denied"
    """The identity lacks the permission."""
    THROTTLED = "throttled"
    """AWS throttled every attempt."""
    TIMED_OUT = "timed out"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    """AWS answered with another error."""
    UNREADABLE = "unreadable"
    """The response is not from AWS, or incomplete."""
    INCOMPLETE = "incomplete"
    """The answer lacks members that the query needs."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Why a query has no answer."""

    reason: UnansweredReason
    words: str
    """The error of AWS or of the network, on one line."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: exactly one of `result`, `absent` and `unanswered`."""

    question: Query
    result: Mapping[str, Any] | None = None
    """The response by the API's keys, with the lists of all pages joined."""
    absent: bool = False
    """The resource does not exist."""
    unanswered: Unanswered | None = None

    @property
    def answered(self) -> bool:
        """Whether AWS answered, including the answer that the resource does not exist."""
        return self.unanswered is None


def complete(question: Query, answer: Answer) -> Answer:
    """The answer; unanswered if it lacks a member that the query needs."""
    for path in question.needs if answer.result is not None else ():
        if _lacks(answer.result, path):
            why = Unanswered(UnansweredReason.INCOMPLETE, f"the answer lacks {path}")
            return replace(answer, result=None, unanswered=why)
    return answer


def _lacks(result: Any, path: str) -> bool:
    """Whether one of the members at a path is missing."""
    found = [result]
    for step in path.split("."):
        name, optional = step.removesuffix("[]").removesuffix("?"), "?" in step
        values = [next((each[key] for key in name.split("|") if key in each), None) for each in found]
        if None in values and not optional:
            return True
        present = [each for each in values if each is not None]
        found = [one for each in present for one in each] if step.endswith("[]") else present
    return False


def explain_no_answer(answer: Answer) -> str:
    """Why an answer has no result, with AWS's error. It is shown only to the user who runs the command."""
    question, why = answer.question, answer.unanswered
    if why is None:
        return f"{question.about}: it does not exist in AWS"
    return f"{question.about}: not answered ({question.service} {question.operation}, {why.reason}): {why.words}"


T = TypeVar("T")

Inquiry = Generator[Sequence[Query], Sequence[Answer], T]
"""Yields queries and gets their answers in the same order, in rounds, because later queries need earlier answers;
returns the result. An inquiry without queries returns immediately."""


class RunQueries(Protocol):
    """Runs queries in parallel."""

    def __call__(self, questions: Sequence[Query]) -> Sequence[Answer]:
        """The answers, in the order of the queries."""
