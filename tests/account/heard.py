"""What a topic comes to when a test answers its questions: without HTTP."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from muster.account.query import Answer, Query, Unanswered, UnansweredReason
from muster.account.topic import PreflightRequest, Topic, TopicResult

ABSENT = object()
"""AWS says that there is no such thing."""

Say = Mapping[str, Any] | object | None


def heard(topic: Topic, wanted: PreflightRequest, say: Callable[[Query], Say]) -> tuple[TopicResult, list[list[Query]]]:
    """What a topic learned, and its rounds of questions.

    Args:
        topic: which.
        wanted: the stack.
        say: a question -> the result, ABSENT, or None for one that may not be asked.
    """
    inquiry = topic.inquire(wanted)
    rounds: list[list[Query]] = []
    answers: Sequence[Answer] | None = None
    while True:
        try:
            questions = next(inquiry) if answers is None else inquiry.send(answers)
        except StopIteration as end:
            return end.value, rounds
        rounds.append(list(questions))
        answers = [answered(each, say(each)) for each in questions]


def answered(question: Query, said: Say) -> Answer:
    """The answer of that content."""
    if said is None:
        return Answer(question, unanswered=Unanswered(UnansweredReason.DENIED, "AccessDenied: no"))
    if said is ABSENT:
        assert question.absent, f"{question.operation} knows no absence"
        return Answer(question, absent=True)
    assert isinstance(said, Mapping)
    return Answer(question, said)
