"""How many instances a group of reservations holds for those that are launched into it."""

from typing import Any

import pytest

from policies.reading.holds import Held, held_by
from policies.reading.targets import target_of
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
