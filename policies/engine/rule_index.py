"""The sheets of all rules, read from `rules.yaml` of each topic, without importing a rule."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from muster.finding import Level
from muster.message_text import closest_match, did_you_mean
from muster.policies.engine.rule import Severity, Sheet

_FOLDER = Path(__file__).parent.parent / "rules"


class UnknownRule(ValueError):
    """No rule has that id."""


@cache
def sheets() -> tuple[Sheet, ...]:
    """Every rule's sheet, sorted by id."""
    found = []
    for file in _FOLDER.glob("*/rules.yaml"):
        rows = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        found += [_sheet(file.parent.name, name, row) for name, row in rows.items()]
    return tuple(sorted(found, key=lambda sheet: sheet.id))


def _sheet(topic: str, id: str, row: dict[str, Any]) -> Sheet:
    return Sheet(
        id=id,
        title=row["title"],
        level=Level(row["level"]),
        severity=Severity(row["severity"]),
        judges=tuple(row["judges"]),
        backends=tuple(row["backends"]),
        why=row["why"],
        source=tuple(row["source"]),
        remedy=row["remedy"],
        facts=tuple(row["facts"]),
        topic=topic,
        module=f"muster.policies.rules.{topic}.{row['module']}",
        leaves_to=tuple(row.get("leaves-to", ())),
        options_class=row.get("options", ""),
    )


def sheet_of(id: str) -> Sheet:
    """The sheet of the rule of that id.

    Raises:
        UnknownRule: there is none; the message names the nearest.
    """
    by_id = {each.id: each for each in sheets()}
    if id not in by_id:
        begun = tuple(each for each in by_id if id and each.startswith(id))
        few = begun if len(begun) <= _MOST_NAMED else ()
        meant = _one_of(few) or did_you_mean(id, by_id) or _one_of(nearest_prefix(id)[1])
        raise UnknownRule(f"no rule '{id}'{meant} (`muster explain --all` lists them)")
    return by_id[id]


def nearest_prefix(word: str) -> tuple[str, tuple[str, ...]]:
    """The prefix of rule ids that is closest to a word, and the ids with that prefix; empty where none is close."""
    steps = word.count("-") + 1
    found: dict[str, tuple[str, ...]] = {}
    for each in sheets():
        start = "-".join(each.id.split("-")[:steps])
        found[start] = (*found.get(start, ()), each.id)
    near = closest_match(word, found)
    return (near, found[near]) if near else ("", ())


_MOST_NAMED = 4


def _one_of(ids: tuple[str, ...]) -> str:
    named = ", ".join(f"'{each}'" for each in ids[:_MOST_NAMED])
    more = f" or {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"; did you mean {'one of ' if len(ids) > 1 else ''}{named}{more}?" if ids else ""
