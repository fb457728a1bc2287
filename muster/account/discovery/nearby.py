"""What was probably meant by an id that AWS does not know: one that is nearly the same, or one of another Region."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import get_close_matches

from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.discovery.inquiry import plainly
from muster.account.discovery.whole import whole
from muster.account.question import Question
from muster.words import counted

_CUTOFF = 0.88
"""Of twenty characters two may be others. Two ids that have nothing to do with each other have half of theirs alike."""

_REGIONS = Question("ec2", "DescribeRegions", "the Regions of the account")


def nearest_id(id: str, known: Iterable[str]) -> str | None:
    """The known id that is this one but for a slip of the finger; None where none is."""
    close = get_close_matches(id, list(known), n=1, cutoff=_CUTOFF)
    return close[0] if close else None


def elsewhere(
    question: Question, region: str, told: Callable[[Answer], Answer]
) -> Inquiry[tuple[list[tuple[str, Answer]], str]]:
    """Puts one question in each further Region that the account has.

    Args:
        question: which.
        region: where it was put already.
        told: an answer to it, or none where it is not whole.

    Returns:
        Region and answer, where there is one; and what is to be said of the others, empty where nothing is.
    """
    (said,) = yield [_REGIONS]
    answer = whole(said, "Regions", "RegionName")
    if answer.result is None:
        return [], f"; which Regions the account has AWS did not say ({plainly(answer)})"
    names = sorted({str(each["RegionName"]) for each in answer.result["Regions"]} - {region})
    if not names:
        return [], ""
    answers = yield [replace(question, about=f"{question.about}: {each}", region=each) for each in names]
    found = [(name, each) for name, each in zip(names, map(told, answers), strict=True) if each.answered]
    silent = len(names) - len(found)
    asked = f"; nor in {counted(len(found), 'other Region')}" if found else ""
    return found, asked + (f"; {counted(silent, 'Region')} did not answer" if silent else "")
