"""How many instances a group of reservations holds for those that are launched into it."""

from dataclasses import replace
from typing import Any

import pytest

from muster.fleet.facts import ReservationState
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from policies.lookups.capacity_targets import Kind, Target, target_of
from policies.lookups.reserved_capacity import InstanceCount, free_instances, instances_for, instances_for_all
from tests.factories import DROP, facts
from tests.policies import capacity_blocks
from tests.policies.capacity import on_made
from tests.policies.case import got_by
from tests.policies.cases.reservation_groups import known, on_group


def _held(one: dict[str, Any], two: dict[str, Any]) -> InstanceCount | None:
    fleet = on_group(facts=known({"totalInstances": 3, **one}, {"totalInstances": 5, **two}))
    (group,) = fleet.ec2_groups
    target, _ = target_of(group, fleet)
    assert target is not None
    return instances_for(target, group, fleet)


@pytest.mark.parametrize(
    "unfit",
    [
        {"instanceType": "p5e.48xlarge"},
        {"zone": "us-west-2b"},
        {"state": "expired"},
        {"state": "cancelled"},
        {"end": "2026-11-20T00:00:00Z"},
        {"platform": "Windows"},
        {"tenancy": "dedicated"},
    ],
    ids=lambda unfit: next(iter(unfit)),
)
def test_only_what_the_group_can_use_counts(unfit: dict[str, Any]) -> None:
    """Whichever of the two it is; where none is of use, all do, and other rules say what is wrong with them."""
    assert _held({}, unfit) == InstanceCount(3, observed=True, partly=True)
    assert _held(unfit, {}) == InstanceCount(5, observed=True, partly=True)
    assert _held(unfit, unfit) == _held({}, {}) == InstanceCount(8, observed=True)


def _other(one: dict[str, Any], missing: str) -> Target:
    """The first of the two reservations by itself, of which nobody says what else is there."""
    fleet = on_group(facts=known(one))
    (group,) = fleet.ec2_groups
    target, _ = target_of(group, fleet)
    assert target is not None
    return Target(Kind.RESERVATION, target.holdings[0].ref, target.holdings[:1], missing)


@pytest.mark.parametrize(
    ("one", "two", "missing", "others_missing", "held"),
    [
        (3, 5, "", "", InstanceCount(8, observed=True)),
        (None, 5, "", "", None),
        (3, None, "", "", None),
        (3, 5, "its reservations", "", None),
        (3, 5, "", "its reservations", None),
    ],
)
def test_what_groups_that_share_reservations_have_together(
    one: int | None, two: int | None, missing: str, others_missing: str, held: InstanceCount | None
) -> None:
    """Each reservation once; no number as soon as nobody says one of them, or all that are there."""
    fleet = on_group(facts=known({"totalInstances": one}, {"totalInstances": two}))
    (group,) = fleet.ec2_groups
    target, _ = target_of(group, fleet)
    assert target is not None
    other = _other({"totalInstances": one}, others_missing)
    sharing = [(group, target), (group, other), (group, replace(other, ref="cr-another", missing=""))]
    assert instances_for_all(replace(target, missing=missing), group, sharing, fleet) == held


@pytest.mark.parametrize(("one", "two", "free"), [(3, 5, 8), (0, 5, 5), (None, 5, None), (3, None, None), (0, 0, 0)])
def test_what_of_them_is_free(one: int | None, two: int | None, free: int | None) -> None:
    """Likewise."""
    fleet = on_group(facts=known({"availableInstances": one}, {"availableInstances": two}))
    (group,) = fleet.ec2_groups
    target, _ = target_of(group, fleet)
    assert target is not None
    other = _other({"availableInstances": one}, "")
    sharing = [(group, target), (group, other)]
    assert [free_instances(each, group, sharing, fleet) for each in (target, other)] == [free, free]


OTHERS_RUN = "reservation-free-for-nodes"


@pytest.mark.parametrize(
    ("said", "speaks"),
    [
        ({"state": "active"}, True),
        ({"state": DROP}, True),
        *(({"state": state}, False) for state in ReservationState if state is not ReservationState.ACTIVE),
        ({"exists": False}, False),
        ({"state": "active", "availableInstances": 1}, False),
    ],
    ids=str,
)
def test_what_is_free_is_asked_of_what_runs(said: dict[str, Any], *, speaks: bool) -> None:
    """Nothing is free of a block that has not begun, or is over: other rules say that."""
    fleet = capacity_blocks.theirs(facts=capacity_blocks.known(**{"availableInstances": 0, **said}))
    assert bool(got_by(OTHERS_RUN, fleet)) == speaks


@pytest.mark.parametrize(("one", "two", "speaks"), [("active", "expired", True), ("expired", "expired", False)])
def test_of_a_group_some_has_to_run(one: str, two: str, *, speaks: bool) -> None:
    """One is enough."""
    free = {"availableInstances": 0}
    fleet = on_group(facts=known({**free, "state": one}, {**free, "state": two}))
    assert bool(got_by(OTHERS_RUN, fleet)) == speaks


def test_what_is_free_is_not_asked_of_what_aws_does_not_have() -> None:
    """A reservation that the program makes, and a group of which nobody knows the members, however much was asked."""
    asked = facts(observed="2026-11-21T09:00:00Z")
    for fleet in (on_made(), on_group(facts=asked)):
        judgement = judge(replace(fleet, facts=asked), rules=[rule_of(OTHERS_RUN)])
        assert (judgement.findings, judgement.not_evaluated) == ((), ())
