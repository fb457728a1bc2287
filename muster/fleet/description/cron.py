"""When HyperPod updates an instance group by itself: a cron expression, of which AWS takes less than elsewhere."""

import re
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field


class _Part(NamedTuple):
    """One of the six parts: what it is, its form, and that form in words."""

    name: str
    form: str
    words: str


_MINUTES = _Part("minutes", "[0-5]?[0-9]", "0 to 59")
_HOURS = _Part("hours", "(?:[01]?[0-9]|2[0-3])", "0 to 23")
_DAY = _Part("day", "(?:0?[1-9]|[12][0-9]|3[01])", "1 to 31, or ? beside a weekday")
_MONTH = _Part("month", r"(?:0?[1-9]|1[0-2]|\*|\*/(?:[1-9]|1[0-2]))", "1 to 12, * or */3")
_WEEKDAY = _Part(
    "weekday", "(?:MON|TUE|WED|THU|FRI|SAT|SUN|[1-7](?:#[1-5]|L)?|L)", "MON to SUN, 1 to 7, 2#1, 6L or L, or ?"
)
_YEAR = _Part("year", r"(?:20[2-9][0-9]|\*)", "2020 to 2099, or *")
_PARTS = (_MINUTES, _HOURS, _DAY, _MONTH, _WEEKDAY, _YEAR)
"""After the pattern of `ScheduledUpdateConfig.ScheduleExpression` in CloudFormation's schema of
`AWS::SageMaker::Cluster`, less the empty parts that it lets pass."""

_ANY = "?"
_WHEN = rf"(?:{_DAY.form} {_MONTH.form} \?|\? {_MONTH.form} {_WEEKDAY.form})"
"""? stands for the day or for the weekday, whichever the other leaves open."""
_FORM = rf"cron\({_MINUTES.form} {_HOURS.form} {_WHEN} {_YEAR.form}\)"

_EXAMPLE = "cron(0 3 ? * SUN *)"


def _schedule(value: str) -> str:
    """The schedule, as it is.

    Raises:
        ValueError: it is none; every wrong part is named.
    """
    if not re.fullmatch(_FORM, value):
        raise ValueError("; ".join(_words(value)))
    return value


def _words(value: str) -> tuple[str, str]:
    """What is wrong with an expression, and what to write."""
    inside = re.fullmatch(r"cron\((\S+(?: \S+)*)\)", value)
    given = inside[1].split(" ") if inside else []
    if len(given) != len(_PARTS):
        names = " ".join(part.name for part in _PARTS)
        return f"'{value}' is not a schedule", f"write cron({names}), as in {_EXAMPLE}"
    wrong = [(part, said) for part, said in zip(_PARTS, given, strict=True) if not _fits(part, said)]
    if wrong:
        said_wrongly = ", ".join(f"{part.name} {said}" for part, said in wrong)
        remedy = ", ".join(f"{part.name} {part.words}" for part, _ in wrong)
        return f"'{value}' is not a schedule: {said_wrongly}", f"write {remedy}, as in {_EXAMPLE}"
    both = "neither day nor weekday" if given[_PARTS.index(_DAY)] == _ANY else "both day and weekday"
    return f"'{value}' gives {both}", f"write ? for one of them, as in {_EXAMPLE}"


def _fits(part: _Part, said: str) -> bool:
    return bool(re.fullmatch(part.form, said)) or (part in (_DAY, _WEEKDAY) and said == _ANY)


CronSchedule = Annotated[str, AfterValidator(_schedule), Field(json_schema_extra={"pattern": f"^{_FORM}$"})]
