"""The index of all rules: one sheet on each line. So a command imports only the rules that it evaluates."""

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from muster.policies.engine.catalogue import rules_in_modules
from muster.policies.engine.options import options_of
from muster.policies.engine.rule import Rule, Sheet


def pages() -> Iterator[tuple[Path, str]]:
    """The file of the index."""
    rows = sorted(row(rule) for rule in rules_in_modules())
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in rows)
    yield Path("policies/rules/index.json"), f"[\n{lines}\n]\n"


def row(rule: Rule) -> list[Any]:
    """The fields of a rule's sheet, in their order."""
    documented = {
        name: {"default": schema["default"], "description": schema["description"]}
        for name, schema in options_of(rule.options).items()
    }
    sheet = replace(rule, documented_options=documented)
    return [getattr(sheet, each.name) for each in fields(Sheet)]
