"""When a self-managed group on a Capacity Block goes down to no nodes."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.derive.eks import zero_at
from tests.factories import CR, a_description

BLOCK = {"id": CR, "zone": "us-west-2a", "count": 1, "starts": "2026-12-01", "ends": "2026-12-15", "active": True}


def moments(capacity: Any, *, self_managed: bool) -> tuple[str, ...]:
    edits = {"groups.workers.capacity": capacity, "groups.workers.self-managed": self_managed}
    return zero_at(a_description(edits).groups["workers"])


def test_an_hour_before_the_block_ends() -> None:
    """Blocks end at 11:30 UTC, and EC2 begins to end instances half an hour before."""
    assert moments({"capacity-block": BLOCK}, self_managed=True) == ("2026-12-15T10:30:00Z",)


def test_no_schedule_while_it_is_not_active() -> None:
    """The group has no nodes then; and of a block that is over the moment has passed, which AWS refuses."""
    assert moments({"capacity-block": {**BLOCK, "active": False}}, self_managed=True) == ()


def test_eks_does_it_for_managed_groups() -> None:
    assert moments({"capacity-block": BLOCK}, self_managed=False) == ()


@pytest.mark.parametrize(
    "capacity",
    [
        "on-demand",
        "spot",
        {"reservation": {"id": CR, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}},
    ],
)
def test_what_has_no_end_has_no_schedule(capacity: Any) -> None:
    assert moments(capacity, self_managed=True) == ()


@given(st.dates(date(2026, 1, 1), date(2036, 1, 1)))
def test_in_the_form_that_auto_scaling_takes(ends: date) -> None:
    """`2026-12-15T10:30:00Z` exactly: the provider refuses fractions and offsets. Always an hour before 11:30 UTC."""
    (moment,) = moments({"capacity-block": {**BLOCK, "ends": ends.isoformat()}}, self_managed=True)
    then = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert datetime(ends.year, ends.month, ends.day, 11, 30, tzinfo=UTC) - then == timedelta(hours=1)
