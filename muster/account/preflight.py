"""Runs all topics for one stack, in rounds, because answers lead to further queries, and joins the facts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from muster.account.caller_identity import IDENTITY
from muster.account.query import Answer, Inquiry, Query, QueryKey, RunQueries, Unanswered, UnansweredReason
from muster.account.topic import PreflightRequest, Topic, TopicLine, TopicResult
from muster.account.topics.buckets import BUCKETS
from muster.account.topics.capacity import RESERVATIONS, TRAINING_PLANS
from muster.account.topics.eks import CLUSTERS, VERSIONS
from muster.account.topics.file_systems import FILE_SYSTEMS
from muster.account.topics.hyperpod import HYPERPOD_CLUSTERS, HYPERPOD_QUOTAS
from muster.account.topics.images import CUSTOM_IMAGES, IMAGES
from muster.account.topics.network import NETWORK, SECURITY_GROUPS
from muster.account.topics.offerings import OFFERINGS
from muster.account.topics.permissions import PERMISSIONS
from muster.account.topics.quotas import RESOURCE_QUOTAS, VCPU_QUOTAS
from muster.fleet.facts import ClusterFacts, Facts
from muster.fleet.facts_merge import FactPath

TOPICS: tuple[Topic, ...] = (
    IDENTITY,
    RESERVATIONS,
    TRAINING_PLANS,
    OFFERINGS,
    VCPU_QUOTAS,
    RESOURCE_QUOTAS,
    HYPERPOD_QUOTAS,
    NETWORK,
    SECURITY_GROUPS,
    VERSIONS,
    CLUSTERS,
    HYPERPOD_CLUSTERS,
    IMAGES,
    CUSTOM_IMAGES,
    FILE_SYSTEMS,
    BUCKETS,
    PERMISSIONS,
)
"""In the order of the printed answers."""


@dataclass(frozen=True, slots=True)
class PreflightResult:
    """The result of all topics."""

    facts: Facts
    lines: tuple[TopicLine, ...]
    unanswered: tuple[Answer, ...]
    """The unanswered queries, each with its reason. The facts contain nothing about them."""
    open: frozenset[FactPath] = frozenset()
    """Paths of facts that were queried, but are unknown: whole sections, or entries of a section."""


def run_topics(topics: Iterable[Topic], wanted: PreflightRequest, ask: RunQueries) -> PreflightResult:
    """Runs the queries of all topics, round by round, each round in parallel."""
    asking = tuple(topics)
    inquiries = [topic.inquire(wanted) for topic in asking]
    incomplete: set[int] = set()
    learned: dict[int, TopicResult] = {}
    answers: dict[QueryKey, Answer] = {}
    waiting = dict(enumerate(map(_begun, inquiries)))
    while waiting:
        queries = [question for turn in waiting.values() for question in _questions(turn)]
        round_answers = dict(zip((each.key for each in queries), ask(queries), strict=True)) if queries else {}
        answers |= round_answers
        going: dict[int, Turn] = {}
        for number, turn in waiting.items():
            if isinstance(turn, TopicResult):
                learned[number] = turn
                continue
            own_answers = [round_answers[each.key] for each in turn]
            if not all(each.answered for each in own_answers):
                incomplete.add(number)
            try:
                going[number] = _sent(inquiries[number], own_answers)
            except ValidationError as fault:
                incomplete.add(number)
                going[number] = TopicResult()
                answers |= {each.question.key: _senseless(each, fault) for each in own_answers if each.answered}
        waiting = going
    every = [learned[number] for number in sorted(learned)]
    return PreflightResult(
        merge_facts(each.facts for each in every),
        tuple(line for each in every for line in each.lines),
        tuple(each for each in answers.values() if not each.answered),
        frozenset().union(*(_open(asking[number], learned[number], silent=number in incomplete) for number in learned)),
    )


def _senseless(answer: Answer, fault: ValidationError) -> Answer:
    """An answer that matches botocore's model, but not the facts' schema: it counts as unreadable."""
    first = fault.errors()[0]
    words = " ".join(f"the answer does not match the schema of facts: {first['msg']}".split())
    return Answer(answer.question, unanswered=Unanswered(UnansweredReason.UNREADABLE, words), calls=answer.calls)


def _open(topic: Topic, learned: TopicResult, *, silent: bool) -> frozenset[FactPath]:
    if learned.open is not None:
        return learned.open
    return frozenset((section,) for section in topic.of) if silent else frozenset()


Turn = Sequence[Query] | TopicResult


def _begun(inquiry: Inquiry[TopicResult]) -> Turn:
    try:
        return next(inquiry)
    except StopIteration as end:
        return _learned(end)


def _sent(inquiry: Inquiry[TopicResult], answers: Sequence[Answer]) -> Turn:
    try:
        return inquiry.send(answers)
    except StopIteration as end:
        return _learned(end)


def _learned(end: StopIteration) -> TopicResult:
    assert isinstance(end.value, TopicResult)
    return end.value


def _questions(turn: Turn) -> Sequence[Query]:
    return () if isinstance(turn, TopicResult) else turn


def merge_facts(parts: Iterable[Facts]) -> Facts:
    """Several facts as one: maps are joined by key, and each part adds its values of a resource."""
    joined: dict[str, object] = {}
    for part in parts:
        _join(joined, part.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    return Facts.model_validate(joined)


def _join(into: dict[str, object], more: dict[str, object]) -> None:
    for key, value in more.items():
        known = into.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            _join(known, value)
        else:
            into[key] = value


def preflight(wanted: PreflightRequest, ask: RunQueries, known: Facts | None) -> tuple[Facts, PreflightResult]:
    """Queries everything that a stack refers to or needs.

    Args:
        wanted: the stack.
        ask: runs the queries.
        known: the previous facts. Only those that no query answers are kept: the outputs of another stack, and the
            installed charts.

    Returns:
        The new facts, and the result of all topics.

    Raises:
        NoAccount: AWS does not accept the credentials.
    """
    result = run_topics(TOPICS, wanted, ask)
    return merge_facts((_kept(known or Facts()), result.facts, Facts(observed=wanted.observed))), result


def _kept(known: Facts) -> Facts:
    charts = {
        name: ClusterFacts(hyperpodChart=each.hyperpod_chart)
        for name, each in known.clusters.items()
        if each.hyperpod_chart is not None
    }
    return Facts(outputs=known.outputs, clusters=charts)
