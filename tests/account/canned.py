"""Answers of AWS without HTTP."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from muster.account.preflight import PreflightResult, run_topics
from muster.account.query import Answer, Query, Unanswered, UnansweredReason
from muster.account.topic import PreflightRequest, Topic
from tests.account.aws import Answers, Refused

ABSENT = Refused("", "there is no such thing")
"""The error by which AWS answers a query for a thing that does not exist, whatever its code is for that operation."""


@dataclass
class Canned:
    """Runs queries on the answers of a test, as `Aws` does over HTTP: an operation without an answer is denied."""

    answers: Mapping[str, Answers | None]
    rounds: list[list[Query]] = field(default_factory=list)
    """The queries of each round."""

    def __call__(self, questions: Sequence[Query]) -> Sequence[Answer]:
        """The answers, in the order of the questions."""
        self.rounds.append(list(questions))
        return [self._answer(each) for each in questions]

    def _answer(self, query: Query) -> Answer:
        result = self.answers.get(f"{query.service}.{query.operation}")
        result = result(query.parameters) if callable(result) else result
        if result is ABSENT:
            assert query.absent, f"{query.operation} has no error for what does not exist"
        if not isinstance(result, Refused | None):
            assert not isinstance(result, Exception), result
            return Answer(query, result)
        if result is not None and (result is ABSENT or result.code in query.absent):
            return Answer(query, absent=True)
        code = result.code if result else "AccessDenied"
        return Answer(query, unanswered=Unanswered(UnansweredReason.DENIED, code))

    @property
    def queries(self) -> list[Query]:
        """All, in their order."""
        return [each for round_ in self.rounds for each in round_]

    @property
    def operations(self) -> list[str]:
        """``ec2.DescribeSubnets``, as often as it was queried."""
        return [f"{each.service}.{each.operation}" for each in self.queries]


def run_topic(
    topic: Topic, wanted: PreflightRequest, answers: Mapping[str, Answers | None]
) -> tuple[PreflightResult, Canned]:
    """The result of one topic, and its queries."""
    canned = Canned(answers)
    return run_topics([topic], wanted, canned), canned
