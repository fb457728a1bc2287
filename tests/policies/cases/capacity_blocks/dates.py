"""How long blocks last, and from when."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.capacity_blocks import BLOCK, NOW, RULE, described, known
from tests.policies.case import case


def lasting(starts: str, ends: str, **more: Any) -> Fleet:
    times = {"start": f"{starts}T11:30:00Z", "end": f"{ends}T11:30:00Z"}
    state = {} if more.get("active") else {"state": "scheduled"}
    return described(starts=starts, ends=ends, facts=known(**times, **state), **more)


@case()
def a_block_of_one_day() -> Fleet:
    return lasting("2026-12-01", "2026-12-02")


@case()
def a_block_of_15_days() -> Fleet:
    """It was extended, by a day."""
    return lasting("2026-12-01", "2026-12-16")


@case()
def a_block_of_three_weeks() -> Fleet:
    return lasting("2026-12-01", "2026-12-22")


@case()
def a_block_that_began_at_once_and_lasts_hours_longer() -> Fleet:
    return lasting("2026-11-14", "2027-05-16", active=True)


@case()
def a_block_that_began_today_and_lasts_hours_longer() -> Fleet:
    return lasting("2026-11-21", "2027-05-23", active=True)


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_that_begins_tomorrow_and_lasts_a_day_longer() -> Fleet:
    return lasting("2026-11-22", "2027-05-24")


@case()
def a_block_of_182_days() -> Fleet:
    return lasting("2026-12-01", "2027-06-01")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_of_189_days() -> Fleet:
    return lasting("2026-12-01", "2027-06-08")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_that_ends_before_it_starts() -> Fleet:
    return lasting("2026-12-15", "2026-12-01")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_that_ends_on_the_day_it_starts() -> Fleet:
    return lasting("2026-12-15", "2026-12-15")


@case(f"{RULE}-length @ {BLOCK}.ends")
def a_block_of_no_days_that_is_over() -> Fleet:
    """That it has ended is no news."""
    return lasting("2026-11-14", "2026-11-14")


@case(f"{RULE}-dates @ {BLOCK}.active")
def active_before_it_starts() -> Fleet:
    return lasting("2026-11-22", "2026-11-29", active=True)


@case()
def active_on_the_day_it_starts() -> Fleet:
    return lasting("2026-11-21", "2026-11-28", active=True)


@case(f"{RULE}-dates @ {BLOCK}.active")
def active_on_the_day_it_ends() -> Fleet:
    return lasting("2026-11-14", "2026-11-21", active=True)


@case(f"{RULE}-begun @ {BLOCK}.active")
def not_active_though_it_runs() -> Fleet:
    times = {"start": "2026-11-21T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    return described(starts="2026-11-21", ends="2026-11-28", facts=known(**times))


@case(f"{RULE}-begun @ {BLOCK}.active")
def over_and_not_active() -> Fleet:
    return lasting("2026-11-07", "2026-11-21")


EXTENDED = known(end="2026-12-05T11:30:00Z")
OUT_OF_DATE = {"starts": "2026-11-14", "ends": "2026-11-21"}


@case(f"reservation-as-declared @ {BLOCK}.ends")
def an_extended_block_with_its_first_end() -> Fleet:
    return described(**OUT_OF_DATE, active=True, facts=EXTENDED)


@case(f"reservation-as-declared @ {BLOCK}.ends")
def an_extended_block_drained_before_its_first_end() -> Fleet:
    drained_at = ("2026-11-21T10:30:00Z",)
    return described(**OUT_OF_DATE, active=True, facts=EXTENDED, managed=False, zero_at=drained_at)


@case(f"{RULE}-begun @ {BLOCK}.active", f"reservation-as-declared @ {BLOCK}.ends")
def an_extended_block_that_is_not_said_to_run() -> Fleet:
    return described(**OUT_OF_DATE, facts=EXTENDED)


@case(f"reservation-as-declared @ {BLOCK}.starts")
def a_block_that_began_before_it_was_said_to() -> Fleet:
    return described(**{**NOW, "starts": "2026-11-22"}, facts=known())


@case(f"reservation-usable @ {BLOCK}.id", f"reservation-as-declared @ {BLOCK}.ends")
def a_block_that_aws_says_is_over() -> Fleet:
    return described(**NOW, facts=known(end="2026-11-20T11:30:00Z"))


@case()
def a_block_that_waits_on_its_first_day() -> Fleet:
    times = {"start": "2026-11-21T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    return described(starts="2026-11-21", ends="2026-11-28", facts=known(state="scheduled", **times))


@case(f"reservation-as-declared @ {BLOCK}.starts", f"reservation-as-declared @ {BLOCK}.ends")
def aws_has_other_dates() -> Fleet:
    return described(**{**NOW, "starts": "2026-11-15", "ends": "2026-11-29"}, facts=known())
