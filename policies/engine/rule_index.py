"""The sheets of all rules, read from the index in the folder of the rules, without importing a rule.

`python -m tools.generate` writes the index of the modules; a test compares the two.
"""

import json
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from muster.message_text import closest_match, did_you_mean
from policies.sources import url_of


class UnknownRule(ValueError):
    """No rule of that id."""


class Sheet(NamedTuple):
    """The part of a rule that the index has, without its module."""

    id: str
    title: str
    level: str
    severity: str
    judges: tuple[str, ...]
    """The types it judges, as ``module:name``."""
    backends: tuple[str, ...]
    why: str
    source: str
    remedy: str
    facts: tuple[str, ...]
    topic: str
    function: str
    """Where the rule is: ``module:name``."""
    leaves_to: tuple[str, ...]
    options: dict[str, Any]
    """Name -> default and description of what a configuration may set."""

    @property
    def url(self) -> str | None:
        """The public address of the document that is its source."""
        return url_of(self.source)


@cache
def sheets() -> tuple[Sheet, ...]:
    """Every rule's sheet, sorted by id."""
    rows = json.loads((resources.files("policies.rules") / "index.json").read_text(encoding="utf-8"))
    return tuple(Sheet._make(tuple(each) if isinstance(each, list) else each for each in row) for row in rows)


def sheet_of(id: str) -> Sheet:
    """The sheet of the rule of that id.

    Raises:
        UnknownRule: there is none; the message names the nearest.
    """
    by_id = {each.id: each for each in sheets()}
    if id not in by_id:
        meant = did_you_mean(id, by_id) or _one_of(nearest_prefix(id)[1])
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
