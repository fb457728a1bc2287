"""How a rule names facts that it misses, and which old answers of AWS still matter."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, described, facts
from tests.policies.case import got_by
from tests.policies.named import OF

OBSERVED = {"observed": datetime(2026, 11, 21, tzinfo=UTC).isoformat()}


def test_missing_facts_of_a_stack_come_with_the_command_that_queries_them() -> None:
    """Facts of a configuration belong to no stack here, so there is nothing to query."""
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json")
    assert fleet.missing("quota X") == "quota X in stacks/facts/p5.json (run `muster preflight p5 --save` to query AWS)"
    theirs = replace(fleet, facts_file="muster.yaml (muster.facts)")
    assert (
        theirs.missing("quota X")
        == "quota X in muster.yaml (muster.facts) (`muster schema facts` prints the format of facts)"
    )


def test_in_a_preflight_it_is_said_that_aws_did_not_answer() -> None:
    """Where it answered all queries, no query returns the fact."""
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json", unanswered=2)
    assert fleet.missing("quota X") == "quota X (AWS did not answer 2 queries)"
    assert "muster preflight" not in replace(fleet, unanswered=0).missing("a chart")


def test_placeholders_are_to_be_filled_in_first() -> None:
    """AWS knows no placeholder."""
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json")
    wanted = "the zones of subnets subnet-fill-me-in-a and subnet-fill-me-in-b"
    open_ = f"{wanted} (replace the placeholders subnet-fill-me-in-a and subnet-fill-me-in-b"
    assert fleet.missing(wanted) == f"{open_}; then run `muster preflight p5 --save` to query AWS)"
    assert replace(fleet, unanswered=0).missing(wanted) == f"{open_})"
    assert fleet.missing("the image ami-fill-me-in") == (
        "the image ami-fill-me-in (replace the placeholder ami-fill-me-in; then run `muster preflight p5 --save` "
        "to query AWS)"
    )


LONG_AGO = "2026-01-01T10:00:00Z"
MEMBER = "cr-0fedcba9876543210"


def kept(*paths: str, **more: Any) -> Fleet:
    """Facts of today with some paths from long ago, which AWS did not answer today."""
    return described(facts=facts(**OBSERVED, kept=dict.fromkeys(paths, LONG_AGO), **more))


@pytest.mark.parametrize("kind", ResourceKind)
def test_an_old_answer_matters_while_its_thing_is_named(kind: ResourceKind) -> None:
    """An old answer about a thing, or one value of it, matters as long as the description names the thing."""
    paths = [f"/{OF[kind]}/{id_}{key}" for id_ in ("named", "other") for key in ("", "/exists")]
    for path, matters in zip(paths, (True, True, False, False), strict=True):
        fleet = replace(kept(path), named=(ResourceReference(kind, "named", "somewhere"),))
        found = got_by("facts-fresh", fleet)
        assert [path[1:].replace("/", ".") in each for each in found] == ([True] if matters else [])


def test_an_old_answer_about_a_reservation_of_a_group() -> None:
    """The group names the reservation, though no description does."""
    group = {"arn:aws:resource-groups:us-west-2:111122223333:group/p5": {"reservations": [MEMBER]}}
    path = f"/reservations/{MEMBER}"
    assert [len(got_by("facts-fresh", each)) for each in (kept(path, reservationGroups=group), kept(path))] == [1, 0]


def test_an_old_answer_about_the_account() -> None:
    """No description names quotas: they always matter."""
    assert len(got_by("facts-fresh", kept("/quotas/L-417A185B"))) == 1
