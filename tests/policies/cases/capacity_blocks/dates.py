"""How long blocks last, and from when."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.capacity_blocks import NOW, described, known
from tests.policies.case import case, cases


def lasting(starts: str, ends: str, **more: Any) -> Fleet:
    times = {"start": f"{starts}T11:30:00Z", "end": f"{ends}T11:30:00Z"}
    state = {} if more.get("active") else {"state": "scheduled"}
    return described(starts=starts, ends=ends, facts=known(**times, **state), **more)


cases(
    a_block_of_one_day=lambda: lasting("2026-12-01", "2026-12-02"),
    # It was extended, by a day.
    a_block_of_15_days=lambda: lasting("2026-12-01", "2026-12-16"),
    a_block_of_three_weeks=lambda: lasting("2026-12-01", "2026-12-22"),
    a_block_that_began_at_once_and_lasts_hours_longer=lambda: lasting("2026-11-14", "2027-05-16", active=True),
    a_block_that_began_today_and_lasts_hours_longer=lambda: lasting("2026-11-21", "2027-05-23", active=True),
    a_block_that_begins_tomorrow_and_lasts_a_day_longer=lambda: lasting("2026-11-22", "2027-05-24"),
    a_block_of_182_days=lambda: lasting("2026-12-01", "2027-06-01"),
    a_block_of_189_days=lambda: lasting("2026-12-01", "2027-06-08"),
    a_block_that_ends_before_it_starts=lambda: lasting("2026-12-15", "2026-12-01"),
    a_block_that_ends_on_the_day_it_starts=lambda: lasting("2026-12-15", "2026-12-15"),
    # That it has ended is no news.
    a_block_of_no_days_that_is_over=lambda: lasting("2026-11-14", "2026-11-14"),
    active_before_it_starts=lambda: lasting("2026-11-22", "2026-11-29", active=True),
    active_on_the_day_it_starts=lambda: lasting("2026-11-21", "2026-11-28", active=True),
    active_on_the_day_it_ends=lambda: lasting("2026-11-14", "2026-11-21", active=True),
)


@case
def not_active_though_it_runs() -> Fleet:
    times = {"start": "2026-11-21T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    return described(starts="2026-11-21", ends="2026-11-28", facts=known(**times))


cases(
    over_and_not_active=lambda: lasting("2026-11-07", "2026-11-21"),
)


EXTENDED = known(end="2026-12-05T11:30:00Z")
OUT_OF_DATE = {"starts": "2026-11-14", "ends": "2026-11-21"}


cases(
    an_extended_block_with_its_first_end=lambda: described(**OUT_OF_DATE, active=True, facts=EXTENDED),
    an_extended_block_drained_before_its_first_end=lambda: described(
        **OUT_OF_DATE, active=True, facts=EXTENDED, managed=False, zero_at=("2026-11-21T10:30:00Z",)
    ),
    an_extended_block_that_is_not_said_to_run=lambda: described(**OUT_OF_DATE, facts=EXTENDED),
    a_block_that_began_before_it_was_said_to=lambda: described(**{**NOW, "starts": "2026-11-22"}, facts=known()),
    a_block_that_aws_says_is_over=lambda: described(**NOW, facts=known(end="2026-11-20T11:30:00Z")),
)


@case
def a_block_that_waits_on_its_first_day() -> Fleet:
    times = {"start": "2026-11-21T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    return described(starts="2026-11-21", ends="2026-11-28", facts=known(state="scheduled", **times))


cases(
    aws_has_other_dates=lambda: described(**{**NOW, "starts": "2026-11-15", "ends": "2026-11-29"}, facts=known()),
)
