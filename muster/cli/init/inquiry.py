"""Inquiries of `muster init`: how they run, which operations they use, and what a missing answer means."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, TypeVar

from muster.account.query import Answer, Inquiry, Query, RunQueries, Unanswered, UnansweredReason, explain_no_answer
from muster.message_text import count_noun, list_names

T = TypeVar("T")


class Unusable(Exception):
    """The named resource cannot be used, or AWS's answers do not suffice. The message has the remedy."""


class UnansweredInquiry(Unusable):
    """AWS did not answer. The named resource may still be usable.

    Args:
        message: what is unknown.
        answer: the unanswered query; None where AWS answered without the value.
    """

    def __init__(self, message: str, answer: Answer | None = None) -> None:
        super().__init__(message)
        self.answer = answer


def run_inquiry(inquiry: Inquiry[T], ask: RunQueries) -> T:
    """Runs its queries, round by round, and gives its result.

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
        again = "ask with the right to ask that" if denied else "ask again later"
        raise UnansweredInquiry(f"{explain_no_answer(answer)}; {again}, or give --offline", answer)
    return dict(answer.result)


def short_reason(answer: Answer) -> str:
    """``ec2 DescribeSubnets: denied``. For a file that others read, too, so without AWS's message and the caller."""
    question, why = answer.question, answer.unanswered
    return f"{question.service} {question.operation}: {why.reason if why else 'AWS says that there is none'}"


def require_members(answer: Answer, key: str, *members: str) -> Answer:
    """The answer; unanswered where it lacks members that a choice depends on.

    A missing list is not an empty one, and a missing member has no value.

    Args:
        answer: to a query for a list.
        key: of the list: ``Subnets``.
        members: those that each entry must have; that of a list inside as ``Associations.Main``.
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
        unanswered=Unanswered(UnansweredReason.INCOMPLETE, f"AWS leaves out {list_names(lacking)}"),
        calls=answer.calls,
    )


def _missing_members(entry: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """The first key of a path that something on it lacks."""
    first, *rest = path
    if first not in entry:
        yield first
    elif rest:
        for each in entry[first]:
            yield from _missing_members(each, rest)


_CUTOFF = 0.88
"""Of twenty characters two may be others. Two ids that have nothing to do with each other have half of theirs alike."""

_REGIONS = Query("ec2", "DescribeRegions", "the Regions of the account")


def nearest_id(id: str, known: Iterable[str]) -> str | None:
    """The known id that is this one but for a slip of the finger; None where none is."""
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
        Region and answer, where there is one; and a text about the other Regions, which may be empty.
    """
    (listing,) = yield [_REGIONS]
    answer = require_members(listing, "Regions", "RegionName")
    if answer.result is None:
        return [], f"; which Regions the account has AWS did not say ({short_reason(answer)})"
    names = sorted({str(each["RegionName"]) for each in answer.result["Regions"]} - {region})
    if not names:
        return [], ""
    answers = yield [replace(question, about=f"{question.about}: {each}", region=each) for each in names]
    found = [(name, each) for name, each in zip(names, map(complete, answers), strict=True) if each.answered]
    unanswered = len(names) - len(found)
    searched = f"; nor in {count_noun(len(found), 'other Region')}" if found else ""
    return found, searched + (f"; {count_noun(unanswered, 'Region')} did not answer" if unanswered else "")


_MEANS = {
    "GetCallerIdentity": "whose account this is is not known: a copy keeps no ARN of any account",
    "DescribeVpcs": "which VPCs there are is not known: none is taken, and a new one may overlap one",
    "DescribeSubnets": "which VPC fits is not known: none is taken, and one of the stack's own is planned",
    "DescribeRouteTables": "which subnets have a way out is not known: no VPC is taken",
    "DescribeVpcAttribute": "whether nodes find their cluster by name there is not known: such a VPC is not taken",
    "DescribeAvailabilityZones": "which zones there are is not known: those of a new VPC are taken by their letters",
    "DescribeInstanceTypeOfferings": "which zones offer the types is not known: the zones are chosen without",
    "DescribeCapacityReservations": "which reservations and Capacity Blocks there are is not known",
    "ListTrainingPlans": "which training plans there are is not known",
}
"""Operation -> its description. Every query of `muster init` has one."""


def explain_unanswered(unanswered: Iterable[Answer]) -> Iterator[str]:
    """One line for each operation without an answer: AWS's message, and what that means for the new stack."""
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
