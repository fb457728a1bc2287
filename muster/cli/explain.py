"""`muster explain`: a rule's fact sheet."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster.cli.exits import WrongInput
from muster.cli.options import Json

if TYPE_CHECKING:
    from muster.cli.terminal import Style
    from policies.rule import Rule


def _rules(incomplete: str) -> list[str]:
    from policies.catalogue import rules

    return [rule.id for rule in rules() if rule.id.startswith(incomplete)]


def explain(
    rule: Annotated[
        str | None, typer.Argument(metavar="RULE", help="A rule's id.", autocompletion=_rules, show_default=False)
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every rule.")] = False,
    as_json: Json = False,
) -> None:
    """Explain a rule: what it wants, why, who says so, and what to do."""
    from muster.cli import terminal
    from policies.catalogue import UnknownRule, rule_of, rules

    if every and rule:
        raise WrongInput("give a rule or --all, not both")
    if not every and not rule:
        raise WrongInput("name a rule or give --all")
    try:
        chosen = rules() if every else (rule_of(rule or ""),)
    except UnknownRule as fault:
        raise WrongInput(str(fault)) from None
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump([_sheet(each) for each in chosen]))
    elif every:
        from muster.cli.tables import table

        rows = [(each.id, each.level.value, each.severity.value, each.title) for each in chosen]
        terminal.write(table(("rule", "level", "severity", "title"), rows))
    else:
        terminal.write_lines(_readable(chosen[0], terminal.style_of(sys.stdout)))


def _sheet(rule: "Rule") -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title,
        "level": rule.level.value,
        "severity": rule.severity.value,
        "backends": list(rule.backends),
        "why": rule.why,
        "source": rule.source,
        "url": rule.url,
        "remedy": rule.remedy,
        "facts": list(rule.facts),
        "page": f"docs/rules/{rule.topic}/{rule.id}.md",
        "options": _options(rule),
    }


def _options(rule: "Rule") -> dict[str, Any]:
    """What of it a configuration may set, with the defaults."""
    from policies.options_schema import options_of

    return {
        name: {"default": schema["default"], "description": schema["description"]}
        for name, schema in options_of(rule.options).items()
    }


def _readable(rule: "Rule", style: "Style") -> Iterator[str]:
    import json
    import shutil
    import textwrap

    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    sheet = _sheet(rule)
    yield style.strong(sheet["id"])
    yield from textwrap.wrap(sheet["title"], width)
    yield ""
    for key in ("level", "severity", "backends", "why", "remedy", "source", "url", "facts", "page"):
        value = sheet[key] or "-"
        text = ", ".join(value) if isinstance(value, list) else value
        indent = " " * 10
        yield from textwrap.wrap(text, width, initial_indent=f"{key:<10}", subsequent_indent=indent)
    for name, option in sheet["options"].items():
        text = f"{name}: {option['description']} {json.dumps(option['default'])} without it."
        yield from textwrap.wrap(text, width, initial_indent=f"{'option':<10}", subsequent_indent=" " * 10)
