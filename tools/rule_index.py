"""Writes the index of all rules: their sheets, one a line, so that a command imports only the rules that judge."""

import json
from collections.abc import Iterator
from pathlib import Path

from policies.engine.catalogue import rules_in_modules
from policies.engine.options import options_of
from policies.engine.rule import Rule
from policies.engine.rule_index import Sheet


def pages() -> Iterator[tuple[Path, str]]:
    """The file of the index."""
    rows = sorted(sheet(place, rule) for place, rule in rules_in_modules())
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    yield Path("policies/rules/index.json"), f"[\n{lines}\n]\n"


def sheet(place: str, rule: Rule) -> Sheet:
    """The row of one rule."""
    return Sheet(
        rule.id,
        rule.title,
        rule.level.value,
        rule.severity.value,
        tuple(f"{each.__module__}:{each.__name__}" for each in rule.kinds),
        rule.backends,
        rule.why,
        rule.source,
        rule.remedy,
        rule.facts,
        rule.topic,
        place,
        rule.leaves_to,
        {
            name: {"default": schema["default"], "description": schema["description"]}
            for name, schema in options_of(rule.options).items()
        },
    )
