"""What blocks and plans come to where AWS says when they are, and what they hold."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.extras.cost.estimate import Cost, PrepaidKind, cost_of
from muster.extras.cost.prices import Item, Kind, price_table
from muster.extras.cost.reservations import Prepaid, is_over
from muster.fleet.facts import ReservationFacts, reserved_instances
from tests.factories import AS_OF, CR, REGION, a_description, facts
from tests.hyperpod_factories import a_hyperpod_description

PLAN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/pretraining"


@pytest.mark.parametrize(
    ("state", "total", "count"),
    [
        ("active", 0, 0),
        ("active", 4, 4),
        ("scheduled", 0, None),
        ("scheduled", 4, 4),
        ("assessing", 0, None),
        ("delayed", 0, None),
        ("payment-pending", 0, None),
        (None, 0, 0),
        (None, 4, 4),
        ("active", None, None),
    ],
)
def test_none_of_what_is_not_active_is_no_count(state: str | None, total: int | None, count: int | None) -> None:
    """EC2 counts the instances from the day they are there."""
    known = {"state": state, "totalInstances": total}
    made = ReservationFacts.model_validate({key: value for key, value in known.items() if value is not None})
    assert reserved_instances(made) == count


def a_block(**known: Any) -> Cost:
    held = {"id": CR, "zone": "us-west-2a", "count": 2, "starts": "2026-12-01", "ends": "2026-12-15"}
    edits = {"groups.workers.capacity": {"capacity-block": held}, "groups.workers.nodes": 2}
    told = facts(reservations={CR: {"instanceType": "p5.48xlarge", "reservationType": "capacity-block", **known}})
    return cost_of(derive(a_description(edits), "tested", REGION, told), price_table(), AS_OF)


def test_a_block_to_come_holds_what_was_bought() -> None:
    """Its count is 0 until it begins, and nobody sells a block for nothing."""
    (paid,) = a_block(totalInstances=0, state="scheduled").prepaid
    assert paid.count == 2
    assert paid.each
    assert paid.worth == 2 * 336 * paid.each.usd
    (running,) = a_block(totalInstances=1, state="active").prepaid
    assert running.count == 1, "what AWS says, before what was written"


def a_plan(**known: Any) -> Cost:
    held = {"arn": PLAN, "zone": "us-west-2a", "count": 8}
    made = a_hyperpod_description({"groups.workers.capacity": {"training-plan": held}, "groups.workers.nodes": 4})
    told = facts(trainingPlans={PLAN: known}) if known else None
    return cost_of(derive(made, "tested", REGION, told), price_table(), AS_OF)


def test_a_plan_starts_when_sagemaker_says_and_holds_what_it_says() -> None:
    """From 2026-12-10 to 12-12 it has 48 hours, all of them left before."""
    times = {"start": "2026-12-10T11:30:00Z", "end": "2026-12-12T11:30:00Z"}
    (paid,) = a_plan(state="Scheduled", totalInstances=7, **times).prepaid
    assert (paid.way, paid.name, paid.instance, paid.count) == (PrepaidKind.TRAINING_PLAN, PLAN, "ml.p5.48xlarge", 7)
    assert (paid.hours, paid.hours_left, paid.begun) == (Decimal(48), Decimal(48), False)
    assert paid.starts == datetime.fromisoformat(times["start"])


def test_a_plan_of_which_nobody_asked_holds_what_was_written() -> None:
    """Its days nobody said."""
    (paid,) = a_plan().prepaid
    assert (paid.count, paid.hours_left, paid.begun) == (8, None, None)


NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SOLD = price_table().price(Item(Kind.CAPACITY_BLOCK, "p5.48xlarge"), REGION)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def paid(starts: datetime | None, ends: datetime | None, **more: Any) -> Prepaid:
    return Prepaid(PrepaidKind.CAPACITY_BLOCK, CR, "p5.48xlarge", 2, ("workers",), NOON, starts, ends, **more)


@pytest.mark.parametrize(
    ("starts", "ends", "hours", "left", "begun", "ended"),
    [
        (None, None, None, None, None, False),
        (NOON, None, None, None, True, False),
        (NOON + SECOND, None, None, None, False, False),
        (None, NOON + DAY, None, 24, None, False),
        (None, NOON, None, 0, None, True),
        (None, NOON + SECOND, None, Decimal(1) / 3600, None, False),
        (NOON - DAY, NOON + DAY, 48, 24, True, False),
        (NOON + DAY, NOON + 2 * DAY, 24, 24, False, False),
        (NOON - DAY, NOON, 24, 0, True, True),
        (NOON - 2 * DAY, NOON - DAY, 24, 0, True, True),
    ],
)
def test_when_it_is_follows_from_the_times_that_are_said(
    *,
    starts: datetime | None,
    ends: datetime | None,
    hours: int | None,
    left: int | None,
    begun: bool | None,
    ended: bool,
) -> None:
    """To the second on either end; what AWS says is no more is over whenever it would end, and has no hours left."""
    made = paid(starts, ends)
    assert (made.hours, made.hours_left, made.begun, made.ended) == (hours, left, begun, ended)
    gone = paid(starts, ends, over=True)
    assert (gone.hours, gone.hours_left, gone.begun, gone.ended) == (hours, 0, begun, True)


def test_what_it_is_worth_is_known_with_a_price_and_both_ends() -> None:
    """Of two instances over a day; without any of the three nobody says."""
    assert SOLD is not None
    assert paid(NOON, NOON + DAY, each=SOLD).worth == 2 * 24 * SOLD.usd
    assert [
        paid(starts, ends, each=each).worth
        for starts, ends, each in (
            (NOON, NOON + DAY, None),
            (NOON, None, SOLD),
            (None, NOON, SOLD),
            (None, None, SOLD),
            (None, None, None),
        )
    ] == [None] * 5


def test_a_block_is_over_at_the_moment_of_its_end() -> None:
    """Not a second before; and at any moment where AWS knows none, or says that it is over."""
    end = datetime(2026, 12, 15, 11, 30, tzinfo=UTC)
    known = ReservationFacts.model_validate({"end": end.isoformat()})
    second = timedelta(seconds=1)
    assert [is_over(known, end + each) for each in (-second, 0 * second, second)] == [False, True, True]
    for said, over in (
        ({"state": "expired"}, True),
        ({"exists": False}, True),
        ({"state": "active"}, False),
        ({}, False),
    ):
        assert is_over(ReservationFacts.model_validate(said), end) is over
