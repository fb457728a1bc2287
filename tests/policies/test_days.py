"""The days on which rules that compare dates have a finding: judged on every day of six weeks around the boundaries.
Each block names the source of its dates."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from muster.config.description.suppression import Suppression
from muster.fleet.resources import Fleet
from muster.policies.engine.judgement import judge
from muster.policies.engine.suppressions import holds
from tests.factories import AS_OF, DROP, a_control_plane, a_fleet, a_group, a_reservation, a_template, facts, on
from tests.factories import reservation_facts as said
from tests.factories.hyperpod import on_a_training_plan
from tests.policies.capacity_blocks import NEXT, WAITING, bought, buying, described, known, theirs
from tests.policies.findings import rule_of

STARTS, ENDS = date(2026, 12, 1), date(2026, 12, 15)
"""Of the block in `NEXT`, of `WAITING`, and of what is limited here."""
DAY = timedelta(days=1)
RUNS = {"state": "active", "start": "2026-12-01T11:30:00Z", "end": "2026-12-15T11:30:00Z"}
EARLIER = {"starts": "2026-11-30", "ends": "2026-12-14"}
"""What a description says of a block that AWS has a day later."""
LATER = {"starts": "2026-12-02", "ends": "2026-12-16"}
"""And of one that AWS has a day earlier."""


def _reserved(**more: Any) -> Fleet:
    return a_fleet(a_template(**on()), a_group(reservation=a_reservation()), facts=said(**{**RUNS, **more}))


@pytest.mark.parametrize(
    ("rule", "fleet", "speaks"),
    [
        # EC2 user guide, Capacity Blocks: they begin at 11:30 UTC on their first day; on the last one EC2 takes the
        # instances from 11:00 UTC on, so that day counts as over
        (
            "capacity-block-dates",
            lambda: described(**NEXT, active=True, facts=known(**RUNS)),
            lambda day: not STARTS <= day < ENDS,
        ),
        ("capacity-block-begun", lambda: described(**NEXT, facts=known(**RUNS)), lambda day: day >= STARTS),
        ("capacity-block-begun", lambda: described(**EARLIER, facts=known(**RUNS)), lambda day: day >= STARTS),
        (
            "capacity-block-begun",
            lambda: described(**LATER, facts=known(**RUNS)),
            lambda day: day >= STARTS and day != ENDS,
        ),
        ("capacity-block-begun", lambda: described(**NEXT, facts=known(**WAITING)), lambda day: day >= ENDS),
        ("capacity-block-dates", lambda: theirs(facts=known(**WAITING)), lambda _: True),
        ("capacity-block-dates", lambda: theirs(facts=known(**RUNS)), lambda day: day < STARTS),
        ("capacity-block-not-bought-again", lambda: buying(bought()), lambda day: day >= ENDS),
        ("reservation-usable", lambda: theirs(facts=known(**RUNS)), lambda day: day >= ENDS),
        # EC2 API, CapacityReservation, EndDate: it takes instances until that moment
        ("reservation-usable", _reserved, lambda day: day > ENDS),
        ("reservation-usable", lambda: _reserved(end=DROP), lambda _: False),
        # SageMaker API, DescribeTrainingPlan, EndTime
        (
            "training-plan-usable",
            lambda: on_a_training_plan(RUNS["end"]),
            lambda day: day >= ENDS,
        ),
        # a week
        (
            "facts-fresh",
            lambda: a_fleet(a_control_plane(), facts=facts(observed=RUNS["start"], permissions={})),
            lambda day: day > STARTS + timedelta(days=7),
        ),
    ],
)
def test_the_days_on_which_a_rule_speaks(rule: str, fleet: Callable[[], Fleet], speaks: Callable[[date], bool]) -> None:
    """The rule has a finding on these days, and on no other."""
    asked = fleet()
    days = [STARTS + number * DAY for number in range(-10, 31)]
    spoke = [day for day in days if judge(replace(asked, as_of=day), rules=[rule_of(rule)]).findings]
    assert spoke == [day for day in days if speaks(day)]


def test_a_plan_is_reported_days_before_its_end() -> None:
    """With the option `days: 1`, the rule has its one finding from the day before the end on."""
    rule = rule_of("training-plan-usable")
    earlier = rule.configured(settings=rule.options.model_validate({"days": 1}))
    fleet = on_a_training_plan(RUNS["end"])
    found = [judge(replace(fleet, as_of=day), rules=[earlier]).findings for day in (ENDS - 2 * DAY, ENDS - DAY, ENDS)]
    assert [len(of) for of in found] == [0, 1, 1]


@pytest.mark.parametrize(("days", "is_held"), [(-1, False), (0, True), (366, True), (367, False)])
def test_a_suppression_holds_from_today_as_long_as_one_may(days: int, *, is_held: bool) -> None:
    """A suppression may end at most 366 days from today, and holds through its last day."""
    given = Suppression(rule="api-not-open-to-all", at="api", until=AS_OF + days * DAY, reason="we are moving")
    assert holds(given, AS_OF) == is_held
