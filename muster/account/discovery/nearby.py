"""What was probably meant by an id that AWS does not know: one that is nearly the same, or one of another Region."""

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches

from muster.account.answer import Answer
from muster.account.discovery.inquiry import Inquiry, plainly
from muster.account.question import Question
from muster.words import counted

_CUTOFF = 0.88
"""Of twenty characters two may be others. Two ids that have nothing to do with each other have half of theirs alike."""

_REGIONS = Question("ec2", "DescribeRegions", "the Regions of the account")


def nearest_id(id: str, known: Iterable[str]) -> str | None:
    """The known id that is this one but for a slip of the finger; None where none is."""
    close = get_close_matches(id, list(known), n=1, cutoff=_CUTOFF)
    return close[0] if close else None


def elsewhere(question: Question, region: str) -> Inquiry[tuple[list[tuple[str, Answer]], str]]:
    """Puts one question in each further Region that the account has.

    Args:
        question: which.
        region: where it was put already.

    Returns:
        Region and answer, where there is one; and what is to be said of the others, empty where nothing is.
    """
    (answer,) = yield [_REGIONS]
    if answer.result is None:
        return [], f"; which Regions the account has AWS did not say ({plainly(answer)})"
    names = sorted({str(each.get("RegionName")) for each in answer.result.get("Regions", ())} - {region, "None"})
    if not names:
        return [], ""
    answers = yield [replace(question, about=f"{question.about}: {each}", region=each) for each in names]
    told = [(name, each) for name, each in zip(names, answers, strict=True) if each.answered]
    silent = len(names) - len(told)
    asked = f"; nor in {counted(len(told), 'other Region')}" if told else ""
    return told, asked + (f"; {counted(silent, 'Region')} did not answer" if silent else "")
