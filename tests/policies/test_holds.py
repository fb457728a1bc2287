"""How many instances a group of reservations holds for those that are launched into it."""

from dataclasses import replace
from typing import Any

import pytest

from policies.reading.holds import Held, free_together, held_by, held_together
from policies.reading.targets import Kind, Target, target_of
from tests.policies.cases.reservation_groups import known, on_group


def _held(one: dict[str, Any], two: dict[str, Any]) -> Held | None:
    fleet = on_group(facts=known({"totalInstances": 3, **one}, {"totalInstances": 5, **two}))
    (group,) = fleet.ec2_groups
    target, _ = target_of(group, fleet)
    assert target is not None
    return held_by(target, group, fleet)


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
    assert _held({}, unfit) == Held(3, observed=True, partly=True)
    assert _held(unfit, {}) == Held(5, observed=True, partly=True)
    assert _held(unfit, unfit) == _held({}, {}) == Held(8, observed=True)


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
        (3, 5, "", "", Held(8, observed=True)),
        (None, 5, "", "", None),
        (3, None, "", "", None),
        (3, 5, "its reservations", "", None),
        (3, 5, "", "its reservations", None),
    ],
)
def test_what_groups_that_share_reservations_have_together(
    one: int | None, two: int | None, missing: str, others_missing: str, held: Held | None
) -> None:
    """Each reservation once; no number as soon as nobody says one of them, or all that are there."""
    fleet = on_group(facts=known({"totalInstances": one}, {"totalInstances": two}))
    (group,) = fleet.ec2_groups
    target, _ = target_of(group, fleet)
    assert target is not None
    sharing = [(group, target), (group, _other({"totalInstances": one}, others_missing))]
    assert held_together(replace(target, missing=missing), group, sharing, fleet) == held


@pytest.mark.parametrize(("one", "two", "free"), [(3, 5, 8), (0, 5, 5), (None, 5, None), (3, None, None), (0, 0, 0)])
def test_what_of_them_is_free(one: int | None, two: int | None, free: int | None) -> None:
    """Likewise."""
    fleet = on_group(facts=known({"availableInstances": one}, {"availableInstances": two}))
    (group,) = fleet.ec2_groups
    target, _ = target_of(group, fleet)
    assert target is not None
    sharing = [(group, target), (group, _other({"availableInstances": one}, ""))]
    assert free_together(target, group, sharing, fleet) == free
