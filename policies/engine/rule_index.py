"""The sheets of all rules, read from `rules.yaml` of each topic, without importing a rule."""

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from muster.finding import Level
from muster.message_text import did_you_mean
from muster.policies.engine.rule import Severity, Sheet

_FOLDER = Path(__file__).parent.parent / "rules"


OWN: list[Sheet] = []
"""The sheets of users' rules (`muster.policies.engine.packs`)."""


class UnknownRule(ValueError):
    """No rule has that id."""


@cache
def sheets() -> tuple[Sheet, ...]:
    """Every rule's sheet, sorted by id."""
    found = [*OWN]
    for file in _FOLDER.glob("*/rules.yaml"):
        rows = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        topic = file.parent.name
        found += [sheet_of_row(topic, f"muster.policies.rules.{topic}", name, row) for name, row in rows.items()]
    return tuple(sorted(found, key=lambda sheet: sheet.id))


def sheet_of_row(topic: str, package: str, id: str, row: dict[str, Any]) -> Sheet:
    """The sheet of an entry of `rules.yaml`, whose modules are in a package."""
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
        facts=tuple(row.get("facts", ())),
        topic=topic,
        module=f"{package}.{row['module']}",
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
        raise UnknownRule(f"no rule '{id}'{nearest(id, by_id)} (`muster explain --all` lists them)")
    return by_id[id]


def nearest(word: str, names: Collection[str]) -> str:
    """``; did you mean 'NAME'?``, with the first name that begins with the word, or one that it nearly is."""
    begun = next((each for each in names if word and each.startswith(word)), "")
    return f"; did you mean '{begun}'?" if begun else did_you_mean(word, names)
