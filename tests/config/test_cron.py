"""The schedules that HyperPod takes, and the words for those that it does not."""

import itertools
import re

from pydantic import TypeAdapter, ValidationError

from muster.config.description.instance_group import CronSchedule
from tests.aws_schemas import schedule_pattern

SCHEDULE = TypeAdapter(CronSchedule)


def fault(value: str) -> str:
    """The words for a schedule; empty for one that is taken."""
    try:
        SCHEDULE.validate_python(value)
    except ValidationError as refused:
        (only,) = refused.errors()
        return str(only["ctx"]["error"])
    return ""


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
