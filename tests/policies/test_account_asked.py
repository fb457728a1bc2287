"""What an account was asked and did not answer: not evaluated, each by the rule that wants it. What a person assumes is
not asked for more."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import Fleet
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from tests.factories import CR, DROP, A, described, edited, facts
from tests.policies.case import got_by
from tests.policies.cases.account import AWS_SAYS, VPC
from tests.policies.named import OF

OBSERVED = {"observed": datetime(2026, 11, 21, tzinfo=UTC).isoformat()}


def stack(edits: dict[str, Any], *, observed: bool = True, **more: Any) -> Fleet:
    """The default description, of which AWS says everything but what is edited."""
    said = {**edited(AWS_SAYS, edits), **(OBSERVED if observed else {})}
    return described(more.get("described"), facts=facts(**said))


def missing(rule: str, fleet: Fleet) -> list[str]:
    """What a rule could not judge; it finds nothing."""
    judgement = judge(fleet, rules=[rule_of(rule)])
    assert judgement.findings == ()
    return [each.missing.replace(" (`muster schema facts` shows the form)", "") for each in judgement.not_evaluated]


PUBLIC = "subnet subnet-0cccccccccccccccc and subnet subnet-0dddddddddddddddd"


@pytest.mark.parametrize(
    ("rule", "edits", "words"),
    [
        ("named-things-exist", {}, [f"whether there is {PUBLIC}"]),
        ("named-things-exist", {f"vpcs.{VPC}": DROP}, [f"whether there is VPC {VPC}, {PUBLIC}"]),
        ("vpc-resolves-names", {f"vpcs.{VPC}": DROP}, [f"DNS host names and DNS support of {VPC}"]),
        ("vpc-resolves-names", {f"vpcs.{VPC}.dnsSupport": DROP}, [f"DNS support of {VPC}"]),
        ("subnet-reaches-aws", {f"subnets.{A}.wayOut": DROP}, [f"where {A} has its way out"]),
        (
            "subnet-reaches-aws",
            {f"subnets.{A}.wayOut": "none", f"vpcs.{VPC}.endpoints": ["ec2", "ecr.api", "ecr.dkr", "s3"]},
            [f"the endpoints of {VPC}: {A} has no other way out"],
        ),
        ("type-offered-in-zone", {"offerings": DROP}, ["the zones that offer c5.2xlarge"]),
        (
            "reservation-free-for-nodes",
            {f"reservations.{CR}.availableInstances": DROP},
            [f"how many instances of reservation {CR} are free"],
        ),
    ],
)
def test_what_was_not_answered_is_not_evaluated(rule: str, edits: dict[str, Any], words: list[str]) -> None:
    """And where nobody asked, the rule is silent: the facts are what a person thought of."""
    assert missing(rule, stack(edits)) == words
    assert missing(rule, stack(edits, observed=False)) == []


@pytest.mark.parametrize("rule", ["named-things-in-vpc", "named-things-exist"])
def test_nothing_is_said_where_nobody_knows_anything(rule: str) -> None:
    """Without facts at all."""
    assert missing(rule, described(facts=None)) == []


@pytest.mark.parametrize("rule", ["named-things-exist", "vpc-resolves-names", "subnet-reaches-aws"])
def test_what_is_to_be_filled_in_nobody_asks_about(rule: str) -> None:
    """The engine asks for these by themselves."""
    blank = {
        "network.existing": {
            "vpc": "vpc-fill-me-in",
            "private": {"us-west-2a": "subnet-fill-me-in-a", "us-west-2b": "subnet-fill-me-in-b"},
        },
        "groups.workers.capacity": "on-demand",
    }
    assert missing(rule, described(blank, facts=facts(**OBSERVED))) == []


def test_what_is_gone_is_not_asked_for_more() -> None:
    """Of a VPC that is not there nobody wants to know whether it resolves names."""
    gone = stack({f"vpcs.{VPC}": {"exists": False}, f"subnets.{A}": {"exists": False}})
    for rule in ("vpc-resolves-names", "subnet-reaches-aws", "named-things-in-vpc"):
        assert missing(rule, gone) == []


LONG_AGO = "2026-01-01T10:00:00Z"
MEMBER = "cr-0fedcba9876543210"


def kept(*paths: str, **more: Any) -> Fleet:
    """Asked on the day, with what AWS said long ago and did not answer then."""
    return described(facts=facts(**OBSERVED, kept=dict.fromkeys(paths, LONG_AGO), **more))


@pytest.mark.parametrize("kind", ResourceKind)
def test_an_old_answer_matters_while_its_thing_is_named(kind: ResourceKind) -> None:
    """Of a thing whole and of one of its values; of what nobody names any more it is no matter."""
    paths = [f"/{OF[kind]}/{id_}{key}" for id_ in ("named", "other") for key in ("", "/exists")]
    for path, matters in zip(paths, (True, True, False, False), strict=True):
        fleet = replace(kept(path), named=(ResourceReference(kind, "named", "somewhere"),))
        found = [each.rpartition(": ")[2] for each in got_by("facts-fresh", fleet)]
        assert found == ([path[1:].replace("/", ".")] if matters else [])


def test_an_old_answer_about_a_reservation_of_a_group() -> None:
    """Which the group names, though no description does."""
    group = {"arn:aws:resource-groups:us-west-2:111122223333:group/p5": {"reservations": [MEMBER]}}
    path = f"/reservations/{MEMBER}"
    assert [len(got_by("facts-fresh", each)) for each in (kept(path, reservationGroups=group), kept(path))] == [1, 0]


def test_an_old_answer_about_the_account() -> None:
    """Of what nobody has to name it always matters."""
    assert len(got_by("facts-fresh", kept("/quotas/L-417A185B"))) == 1
