"""`muster explain`: a rule's fact sheet."""

import json
import shutil
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import terminal
from muster.cli.options import Json
from muster.cli.tables import table
from muster.finding import WrongInput
from muster.message_text import closest_match

if TYPE_CHECKING:
    from muster.policies.engine.rule import Sheet
    from muster.terminal import Style


def _rules() -> list[str]:
    from muster.cli.findings import pseudo_rules
    from muster.policies.engine.rule_index import sheets

    return [*(each.id for each in sheets()), *pseudo_rules()]


def explain(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE",
            help="Id of a rule, or of another entry of a report, such as not-modelled.",
            autocompletion=_rules,
        ),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every rule.")] = False,
    as_json: Json = False,
) -> None:
    """Explain a rule: what it requires, why, its source, and the remedy."""
    from muster.policies.engine.rule_index import sheets

    if every and rule:
        raise WrongInput("give either a rule or --all, not both")
    if not every and not rule:
        raise WrongInput("give a rule, or --all")
    chosen = list(map(_sheet, sheets())) if every else [_chosen(rule or "")]
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump(chosen))
    elif every:
        rows = [(each["id"], each["level"], each["severity"], each["title"]) for each in chosen]
        terminal.write(table(("rule", "level", "severity", "title"), rows))
    else:
        terminal.write_lines(_readable(chosen[0], terminal.style()))


def _chosen(name: str) -> dict[str, Any]:
    """The sheet of a rule, or of another entry of reports.

    Raises:
        WrongInput: there is no such rule; the message has the closest match.
    """
    from muster.policies.engine.rule_index import UnknownRule, sheet_of

    try:
        return _sheet(sheet_of(name))
    except UnknownRule as fault:
        from muster.cli.findings import pseudo_rules

        if name in pseudo_rules():
            return {"id": name, **asdict(pseudo_rules()[name])}
        near = closest_match(name, pseudo_rules())
        raise WrongInput(f"no rule '{name}'; did you mean '{near}'?" if near else str(fault)) from None


def _sheet(rule: "Sheet") -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title,
        "level": rule.level,
        "severity": rule.severity,
        "backends": list(rule.backends),
        "why": rule.why,
        "source": list(rule.source),
        "remedy": rule.remedy,
        "facts": list(rule.facts),
        "page": rule.page,
        "options": rule.documented_options,
    }


def _readable(sheet: dict[str, Any], style: "Style") -> Iterator[str]:
    yield style.strong(sheet["id"])
    yield from textwrap.wrap(sheet["title"], _width())
    yield ""
    for key in ("level", "severity", "backends", "why", "remedy", "source", "facts", "page"):
        if key in sheet:
            value = sheet[key] or "-"
            yield from _item(key, ", ".join(value) if isinstance(value, list) else value)
    for name, option in sheet.get("options", {}).items():
        text = str(option["description"])
        default = "" if "Default:" in text else f" Default: {json.dumps(option['default'])}."
        yield from _item("option", f"{name}: {text}{default}")


def _item(key: str, text: str) -> list[str]:
    """An item of a sheet, wrapped to as many lines as it needs. An address stays whole."""
    return textwrap.wrap(
        text,
        _width(),
        initial_indent=f"{key:<10}",
        subsequent_indent=" " * 10,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 100)
