"""The schedules that HyperPod takes, and the words for those that it does not."""

import itertools
import re

import pytest
from pydantic import TypeAdapter, ValidationError

from muster.config.description.instance_group import CronSchedule
from tests.aws_schemas import schedule_pattern

SCHEDULE = TypeAdapter(CronSchedule)
EXAMPLE = "as in cron(0 3 ? * SUN *)"
OF_PARTS = "write cron(minutes hours day month weekday year), as in cron(0 3 ? * SUN *)"


def fault(value: str) -> str:
    """The words for a schedule; empty for one that is taken."""
    try:
        SCHEDULE.validate_python(value)
    except ValidationError as refused:
        (only,) = refused.errors()
        return str(only["ctx"]["error"])
    return ""


@pytest.mark.parametrize(
    "value",
    [
        *("cron(0 3 ? * SUN *)", "cron(30 22 15 * ? 2027)", "cron(05 09 31 */3 ? *)", "cron(59 23 ? 12 2#1 2099)"),
        *("cron(0 0 ? 01 6L *)", "cron(0 0 ? * L *)"),
    ],
)
def test_schedules(value: str) -> None:
    assert not fault(value)
    assert re.fullmatch(schedule_pattern(), value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("every sunday", f"'every sunday' is not a schedule; {OF_PARTS}"),
        ("cron(0 3 ? * SUN)", f"'cron(0 3 ? * SUN)' is not a schedule; {OF_PARTS}"),
        ("cron(0  3 ? * SUN *)", f"'cron(0  3 ? * SUN *)' is not a schedule; {OF_PARTS}"),
        (
            "cron(99 77 ? * FUN *)",
            (
                "'cron(99 77 ? * FUN *)' is not a schedule: minutes 99, hours 77, weekday FUN; write minutes 0 to 59, "
                f"hours 0 to 23, weekday MON to SUN, 1 to 7, 2#1, 6L or L, or ?, {EXAMPLE}"
            ),
        ),
        (
            "cron(0 3 * * SUN *)",
            f"'cron(0 3 * * SUN *)' is not a schedule: day *; write day 1 to 31, or ? beside a weekday, {EXAMPLE}",
        ),
        (
            "cron(0 3 ? 13 SUN 2019)",
            (
                "'cron(0 3 ? 13 SUN 2019)' is not a schedule: month 13, year 2019; "
                f"write month 1 to 12, * or */3, year 2020 to 2099, or *, {EXAMPLE}"
            ),
        ),
        (
            "cron(0 3 15 * SUN *)",
            f"'cron(0 3 15 * SUN *)' gives both day and weekday; write ? for one of them, {EXAMPLE}",
        ),
        (
            "cron(0 3 ? * ? *)",
            f"'cron(0 3 ? * ? *)' gives neither day nor weekday; write ? for one of them, {EXAMPLE}",
        ),
    ],
)
def test_what_is_none(value: str, words: str) -> None:
    assert fault(value) == words


PARTS = (
    ("0", "00", "59", "60", "*", "*/5", "-1"),
    ("0", "23", "24", "*", "7-9"),
    ("1", "01", "31", "0", "32", "?", "*", "L", "15W"),
    ("1", "12", "0", "13", "*", "*/2", "*/13", "JAN", "?"),
    ("MON", "sun", "1", "0", "8", "?", "*", "L", "2#1", "2#6", "6L", "MON-FRI"),
    ("*", "2019", "2020", "2099", "2100", "?"),
)


def test_nothing_is_taken_that_aws_refuses() -> None:
    """Every cross of these parts: what is ours is AWS's, and of two days exactly one is left open."""
    taken = 0
    for parts in itertools.product(*PARTS):
        value = f"cron({' '.join(parts)})"
        if not fault(value):
            taken += 1
            assert re.fullmatch(schedule_pattern(), value), value
            assert (parts[2], parts[4]).count("?") == 1, value
    minutes, hours, months, years, days, weekdays = 3, 2, 4, 3, 3, 5
    assert taken == minutes * hours * months * years * (days + weekdays)
