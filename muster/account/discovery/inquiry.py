"""An inquiry about what a new stack could take."""

from typing import Any, TypeVar

from muster.account.answer import Answer, Reason, said_nothing
from muster.account.ask import Ask, Inquiry

T = TypeVar("T")


class Unusable(Exception):
    """What was named cannot be had, or AWS did not say enough of it. The message says what, and what to do."""


class Unsaid(Unusable):
    """AWS did not say: it may be had.

    Args:
        message: what it did not say.
        answer: the one that is missing; None where AWS answered, and only does not say it yet.
    """

    def __init__(self, message: str, answer: Answer | None = None) -> None:
        super().__init__(message)
        self.answer = answer


def heard(inquiry: Inquiry[T], ask: Ask) -> T:
    """Puts its questions, round by round, and gives what it returns.

    Raises:
        NoAccount: AWS does not take the credentials.
        Unusable: as the inquiry says.
    """
    try:
        questions = next(inquiry)
        while True:
            questions = inquiry.send(ask(questions) if questions else ())
    except StopIteration as end:
        found: T = end.value
        return found


def result(answer: Answer) -> dict[str, Any]:
    """What AWS said.

    Raises:
        Unsaid: it said nothing.
    """
    if answer.result is None:
        denied = answer.unanswered is not None and answer.unanswered.reason is Reason.DENIED
        again = "ask with the right to ask that" if denied else "ask again later"
        raise Unsaid(f"{said_nothing(answer)}; {again}, or give --offline", answer)
    return dict(answer.result)


def plainly(answer: Answer) -> str:
    """``ec2 DescribeSubnets: denied``. For a file that others read, too: neither AWS's words, nor who asked."""
    question, why = answer.question, answer.unanswered
    return f"{question.service} {question.operation}: {why.reason if why else 'AWS says that there is none'}"
