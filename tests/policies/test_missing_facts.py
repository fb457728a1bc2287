"""Old facts are a finding if a description or a fact still names their thing."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import Fleet
from tests.factories import described, facts
from tests.policies.fact_sections import SECTIONS
from tests.policies.findings import got_by

OBSERVED = {"observed": datetime(2026, 11, 21, tzinfo=UTC).isoformat()}


LONG_AGO = "2026-01-01T10:00:00Z"
MEMBER = "cr-0fedcba9876543210"


def kept(*paths: str, **more: Any) -> Fleet:
    """Facts of today, with some paths kept from long ago because AWS did not answer today."""
    return described(facts=facts(**OBSERVED, kept=dict.fromkeys(paths, LONG_AGO), **more))


@pytest.mark.parametrize("kind", ResourceKind)
def test_an_old_answer_matters_while_its_thing_is_named(kind: ResourceKind) -> None:
    """A kept fact about a thing, or one value of it, is a finding if the description names the thing."""
    paths = [f"/{SECTIONS[kind]}/{id_}{key}" for id_ in ("named", "other") for key in ("", "/exists")]
    for path, matters in zip(paths, (True, True, False, False), strict=True):
        fleet = replace(kept(path), named=(ResourceReference(kind, "named", "somewhere"),))
        found = got_by("facts-fresh", fleet)
        assert [path[1:].replace("/", ".") in each for each in found] == ([True] if matters else [])


def test_an_old_answer_about_a_reservation_of_a_group() -> None:
    """It is a finding: the reservation group names the reservation."""
    group = {"arn:aws:resource-groups:us-west-2:111122223333:group/p5": {"reservations": [MEMBER]}}
    path = f"/reservations/{MEMBER}"
    assert [len(got_by("facts-fresh", each)) for each in (kept(path, reservationGroups=group), kept(path))] == [1, 0]


def test_an_old_answer_about_the_account() -> None:
    """It is always a finding: no description names quotas."""
    assert len(got_by("facts-fresh", kept("/quotas/L-417A185B"))) == 1
