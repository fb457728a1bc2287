"""Inquiries of `muster init`: how they run, which operations they use, and the consequence of a missing answer."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, TypeVar

from muster.account.query import Answer, Inquiry, Query, RunQueries, Unanswered, UnansweredReason, explain_no_answer
from muster.message_text import count_noun, list_names

T = TypeVar("T")


class Unusable(Exception):
    """The resource cannot be used, or AWS's answers are not sufficient. The message has the remedy."""


class UnansweredInquiry(Unusable):
    """AWS did not answer. The resource may still be usable.

    Args:
        message: what is unknown.
        answer: the unanswered query; None if AWS answered without the value.
    """

    def __init__(self, message: str, answer: Answer | None = None) -> None:
        super().__init__(message)
        self.answer = answer


def run_inquiry(inquiry: Inquiry[T], ask: RunQueries) -> T:
    """Runs its queries, round by round, and returns its result.

    Raises:
        NoAccount: AWS does not accept the credentials.
        Unusable: raised by the inquiry.
    """
    try:
        questions = next(inquiry)
        while True:
            questions = inquiry.send(ask(questions) if questions else ())
    except StopIteration as end:
        found: T = end.value
        return found


def require_result(answer: Answer) -> dict[str, Any]:
    """The result of an answer.

    Raises:
        UnansweredInquiry: it has none.
    """
    if answer.result is None:
        denied = answer.unanswered is not None and answer.unanswered.reason is UnansweredReason.DENIED
        again = "use credentials that allow this query" if denied else "try again later"
        raise UnansweredInquiry(f"{explain_no_answer(answer)}; {again}, or give --offline", answer)
    return dict(answer.result)


def short_reason(answer: Answer) -> str:
    """``ec2 DescribeSubnets: denied``. Other people also read the file, so it has neither AWS's message nor the
    caller."""
    question, why = answer.question, answer.unanswered
    return f"{question.service} {question.operation}: {why.reason if why else 'AWS has none'}"


def require_members(answer: Answer, key: str, *members: str) -> Answer:
    """The answer; unanswered if it lacks members that a choice depends on.

    A missing list is not an empty one, and a missing member has no value.

    Args:
        answer: to a query for a list.
        key: of the list: ``Subnets``.
        members: the members that each entry must have; a member of an inner list as ``Associations.Main``.
    """
    if answer.result is None:
        return answer
    lacking = sorted(set(_missing_members(answer.result, [key]))) or sorted(
        {each for entry in answer.result[key] for path in members for each in _missing_members(entry, path.split("."))}
    )
    if not lacking:
        return answer
    return Answer(
        answer.question,
        unanswered=Unanswered(UnansweredReason.INCOMPLETE, f"AWS's answer lacks {list_names(lacking)}"),
        calls=answer.calls,
    )


def _missing_members(entry: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """The first key on a path that is missing."""
    first, *rest = path
    if first not in entry:
        yield first
    elif rest:
        for each in entry[first]:
            yield from _missing_members(each, rest)


_CUTOFF = 0.88
"""Two of twenty characters may differ. Two unrelated ids have half of their characters in common."""

_REGIONS = Query("ec2", "DescribeRegions", "the Regions of the account")


def nearest_id(id: str, known: Iterable[str]) -> str | None:
    """The known id that differs from this one only by a typing error; None if there is none."""
    close = get_close_matches(id, list(known), n=1, cutoff=_CUTOFF)
    return close[0] if close else None


def query_other_regions(
    question: Query, region: str, complete: Callable[[Answer], Answer]
) -> Inquiry[tuple[list[tuple[str, Answer]], str]]:
    """Runs one query in each further Region of the account.

    Args:
        question: the query.
        region: where it ran already.
        complete: makes an incomplete answer an unanswered one.

    Returns:
        The Regions with their answers, if any; and a text about the other Regions, which may be empty.
    """
    (listing,) = yield [_REGIONS]
    answer = require_members(listing, "Regions", "RegionName")
    if answer.result is None:
        return [], f"; AWS did not list the account's Regions ({short_reason(answer)})"
    names = sorted({str(each["RegionName"]) for each in answer.result["Regions"]} - {region})
    if not names:
        return [], ""
    answers = yield [replace(question, about=f"{question.about}: {each}", region=each) for each in names]
    found = [(name, each) for name, each in zip(names, map(complete, answers), strict=True) if each.answered]
    unanswered = len(names) - len(found)
    searched = f"; it is also not in {count_noun(len(found), 'other Region')}" if found else ""
    return found, searched + (f"; {count_noun(unanswered, 'Region')} did not answer" if unanswered else "")


_MEANS = {
    "GetCallerIdentity": "the account is unknown, so a copy keeps no ARN of any account",
    "DescribeVpcs": "the existing VPCs are unknown, so the stack uses none of them, and its new VPC may overlap one",
    "DescribeSubnets": "the subnets are unknown, so the stack uses no existing VPC and creates a new one",
    "DescribeRouteTables": "the subnets with internet access are unknown, so the stack uses no existing VPC",
    "DescribeVpcAttribute": "the DNS attributes of this VPC are unknown, so the stack does not use it",
    "DescribeAvailabilityZones": "the zones are unknown, so the zones of a new VPC are chosen by letter",
    "DescribeInstanceTypeOfferings": "the zones that offer the instance types are unknown, and the choice ignores them",
    "DescribeCapacityReservations": "the existing reservations and Capacity Blocks are unknown",
    "ListTrainingPlans": "the existing training plans are unknown",
}
"""Operation -> the consequence of a missing answer. Every query of `muster init` has one."""


def explain_unanswered(unanswered: Iterable[Answer]) -> Iterator[str]:
    """One line for each operation without an answer: AWS's message, and the consequence for the new stack."""
    by_operation: dict[str, list[Answer]] = {}
    for each in unanswered:
        by_operation.setdefault(each.question.operation, []).append(each)
    for operation, answers in by_operation.items():
        more = f" (and {len(answers) - 1} more)" if len(answers) > 1 else ""
        yield f"{explain_no_answer(answers[0])}{more}; {_MEANS[operation]}"


OPERATIONS = (
    *("ec2.DescribeAvailabilityZones", "ec2.DescribeCapacityReservations", "ec2.DescribeInstanceTypeOfferings"),
    "ec2.DescribeRegions",
    *("ec2.DescribeRouteTables", "ec2.DescribeSubnets", "ec2.DescribeVpcAttribute", "ec2.DescribeVpcs"),
    *("sagemaker.DescribeTrainingPlan", "sagemaker.ListTrainingPlans"),
)
"""The operations of all queries but GetCallerIdentity. A test compares them with the queries."""
