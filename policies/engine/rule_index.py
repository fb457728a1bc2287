"""The sheets of all rules, read from the index in the folder of the rules, without importing a rule.

`python -m tools.generate` writes the index from the modules; a test compares the two.
"""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from muster.finding import Level
from muster.hardware.tables import read_text
from muster.message_text import closest_match, did_you_mean
from muster.policies.engine.rule import Severity, Sheet


class UnknownRule(ValueError):
    """No rule has that id."""


@cache
def sheets() -> tuple[Sheet, ...]:
    """Every rule's sheet, sorted by id."""
    rows = json.loads(read_text("index.json", "muster.policies.rules"))
    return tuple(map(_sheet, rows))


def _sheet(row: Iterable[Any]) -> Sheet:
    values: list[Any] = [tuple(each) if isinstance(each, list) else each for each in row]
    return Sheet(values[0], values[1], Level(values[2]), Severity(values[3]), *values[4:])


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
