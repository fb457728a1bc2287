"""Whole accounts. One that has what a stack wants: everything is answered and judged, nothing found. One with one fact
wrong: one rule finds it. What AWS's models do not require, left out of their answers, and whole answers denied: no
crash, and what is missing is never taken for a value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import botocore.session
import pytest
from botocore.model import ListShape, MapShape, Shape, StructureShape

from muster.account.preflight import TOPICS, run_topics
from muster.account.query import Answer, Query, Unanswered, UnansweredReason
from muster.fleet.facts import Facts
from muster.stack.project import stacks
from tests.account.accounts import Account, preflight
from tests.account.broken_accounts import ACCOUNTS, Broken
from tests.account.canned import Canned
from tests.stack_files import ROOT, UNSTATED


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_nothing_is_wrong_with_a_sound_account(stack, muster, monkeypatch) -> None:
    """And nothing is left open that a fact of an account decides: each one that a rule needs is asked for."""
    ran = preflight(Account.of(stack), muster, monkeypatch)
    left = {(each["rule"], each["resource"]) for each in ran.json["notEvaluated"]}
    assert (ran.code, ran.json["findings"], ran.json["notAnswered"]) == (0, [], [])
    assert left == UNSTATED.get(stack, frozenset())


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_one_wrong_fact_is_one_finding(one: Broken) -> None:
    """At the place that is about it, and all other rules are evaluated."""
    account = Account.of(one.stack, one.change)
    one.wrong(account)
    judgement = account.judged()
    assert sorted((each.rule, each.where) for each in judgement.findings) == [(one.rule, each) for each in one.places]
    assert judgement.not_evaluated == ()


@pytest.mark.parametrize(
    ("stack", "said"),
    [("p5-capacity-block", {"State": "payment-pending"}), ("p5-odcr", {"InstanceMatchCriteria": "open"})],
    ids=["payment-pending", "open"],
)
def test_what_is_no_fault_of_a_reservation(stack, said) -> None:
    """A block that has not started may wait for its payment: its group waits for its day anyway. An open reservation
    also takes instances that name it (EC2 user guide, "Launch instances into an existing Capacity Reservation")."""
    account = Account.of(stack)
    account.reservation.update(said)
    assert (account.judged().findings, account.judged().not_evaluated) == ((), ())


Member = tuple[str, ...]
"""``("ec2.DescribeSubnets", "Subnets", "AvailabilityZone")``: of every entry of a list. The operation alone: its whole
answer."""


@dataclass
class Lacking(Canned):
    """Answers without one member."""

    member: Member = ()
    said: set[Member] = field(default_factory=set)
    """All that could be left out."""

    def _answer(self, query: Query) -> Answer:
        answer = super()._answer(query)
        operation, *path = self.member or [""]
        self.said |= {(f"{query.service}.{query.operation}", *each) for each in _optional_of(query, answer.result)}
        if operation != f"{query.service}.{query.operation}":
            return answer
        if not path:
            return Answer(query, unanswered=Unanswered(UnansweredReason.DENIED, "AccessDenied"))
        return replace(answer, result=_without(answer.result, path)) if answer.result else answer


@cache
def _model(service: str) -> Any:
    return botocore.session.Session().get_service_model(service)


def _optional_of(query: Query, said: Any) -> set[Member]:
    if said is None:
        return set()
    shape = _model(query.service).operation_model(query.operation).output_shape
    return {(), *_optional(said, shape, ())}


def _optional(value: Any, shape: Shape | None, path: Member) -> Iterator[Member]:
    """The members of an answer that the model of its operation does not require."""
    if isinstance(shape, StructureShape) and isinstance(value, Mapping):
        for key, each in value.items():
            if key not in shape.required_members:
                yield (*path, key)
            yield from _optional(each, shape.members[key], (*path, key))
    elif isinstance(shape, ListShape):
        for each in value:
            yield from _optional(each, shape.member, path)
    elif isinstance(shape, MapShape):
        for each in value.values():
            yield from _optional(each, shape.value, path)


def _without(said: Any, path: list[str]) -> Any:
    if isinstance(said, Mapping):
        first, *rest = path
        left = {key: each for key, each in said.items() if key != first or rest}
        return {key: _without(each, rest) if key == first else each for key, each in left.items()}
    return [_without(each, path) for each in said] if isinstance(said, list | tuple) else said


def lacking(account: Account) -> list[tuple[Facts, set[Member]]]:
    """Other facts than those of all answers, with the members without each of which they are learned."""
    whole = Lacking(account.answers())
    known = run_topics(TOPICS, account.wanted, whole).facts
    assert len(whole.said) > 20
    found: dict[str, tuple[Facts, set[Member]]] = {}
    for member in whole.said:
        facts = run_topics(TOPICS, account.wanted, Lacking(account.answers(), member=member)).facts
        found.setdefault(facts.model_dump_json(), (facts, set()))[1].add(member)
    found.pop(known.model_dump_json(), None)
    return [*found.values()]


STACKS = (
    *("p5-join-existing", "p5-capacity-block", "p5-efa"),
    *("hyperpod-existing-eks", "hyperpod-training-plan", "hyperpod-p5", "pcluster-p4de-custom-ami"),
)
"""Their accounts are asked all that any stack's is."""


@pytest.mark.parametrize("stack", STACKS)
def test_what_a_sound_account_leaves_out_is_no_fault(stack: str) -> None:
    """Nothing crashes, and no rule finds anything because a member is missing."""
    account = Account.of(stack)
    judged = ((members, account.judged(facts).findings) for facts, members in lacking(account))
    assert [(members, found) for members, found in judged if found] == []


VERSIONS = ("eks.DescribeClusterVersions", "clusterVersions")
BY_ABSENCE: Mapping[str, set[Member]] = {
    # Slurm's clusters have no orchestrator.
    "another-hyperpod-cluster": {
        ("sagemaker.DescribeCluster", "Orchestrator"),
        ("sagemaker.DescribeCluster", "Orchestrator", "Eks"),
    },
    # Then Muster's own calendar counts.
    "standard-support-over": {
        VERSIONS[:1],
        VERSIONS,
        (*VERSIONS, "clusterVersion"),
        (*VERSIONS, "endOfExtendedSupportDate"),
        (*VERSIONS, "endOfStandardSupportDate"),
        (*VERSIONS, "versionStatus"),
    },
}
"""What is wrong -> the members without which the rule finds nothing."""


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_what_a_broken_account_leaves_out_does_not_mend_it(one: Broken) -> None:
    """The rule still finds it, or is not evaluated."""
    account = Account.of(one.stack, one.change)
    one.wrong(account)
    passes = set()
    for facts, members in lacking(account):
        judgement = account.judged(facts, one.rule)
        if not judgement.findings and not judgement.not_evaluated:
            passes |= members
    assert passes == BY_ABSENCE.get(one.name, set())
