"""Answers without HTTP: what a test says of a service, as a topic gets it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from muster.account.preflight import PreflightResult, run_topics
from muster.account.query import Answer, Query, Unanswered, UnansweredReason
from muster.account.topic import PreflightRequest, Topic
from tests.account.aws import Answers, Refused


@dataclass
class Told:
    """An `Ask` that answers as `Aws` does over HTTP: what nobody says is denied."""

    answers: dict[str, Answers]
    asked: list[Query] = field(default_factory=list)

    def __call__(self, questions: Sequence[Query]) -> Sequence[Answer]:
        """The answers, in the order of the questions."""
        self.asked += questions
        return [self._of(each) for each in questions]

    def _of(self, question: Query) -> Answer:
        said = self.answers.get(f"{question.service}.{question.operation}", Refused("AccessDenied", "no right"))
        said = said(question.parameters) if callable(said) else said
        if not isinstance(said, Refused):
            assert not isinstance(said, Exception), said
            return Answer(question, said)
        if said.code in question.absent:
            return Answer(question, absent=True)
        return Answer(question, unanswered=Unanswered(UnansweredReason.DENIED, said.code))

    @property
    def operations(self) -> list[str]:
        """What was asked, each as often as it was."""
        return [f"{each.service}.{each.operation}" for each in self.asked]


def heard(topic: Topic, wanted: PreflightRequest, answers: dict[str, Answers]) -> tuple[PreflightResult, Told]:
    """What a topic comes to, and what it asked."""
    told = Told(answers)
    return run_topics([topic], wanted, told), told
