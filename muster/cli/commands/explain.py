"""`muster explain`: a rule's fact sheet."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster.cli.exits import WrongInput
from muster.cli.findings import PSEUDO_RULES, PseudoRule
from muster.cli.options import Json
from muster.message_text import closest_match

if TYPE_CHECKING:
    from muster.policies.engine.rule import Sheet
    from muster.terminal import Style


def _rules(incomplete: str) -> list[str]:
    from muster.policies.engine.rule_index import sheets

    return [name for name in (*(each.id for each in sheets()), *PSEUDO_RULES) if name.startswith(incomplete)]


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
    from muster import terminal
    from muster.policies.engine.rule_index import sheets

    if every and rule:
        raise WrongInput("give either a rule or --all, not both")
    if not every and not rule:
        raise WrongInput("give a rule, or --all")
    if rule is not None and rule in PSEUDO_RULES:
        _explain_no_rule(rule, PSEUDO_RULES[rule], as_json=as_json)
        return
    chosen = sheets() if every else (_chosen(rule or ""),)
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump([_sheet(each) for each in chosen]))
    elif every:
        from muster.cli.tables import table

        rows = [(each.id, each.level, each.severity, each.title) for each in chosen]
        terminal.write(table(("rule", "level", "severity", "title"), rows))
    else:
        terminal.write_lines(_readable(chosen[0], terminal.style()))


def _chosen(id: str) -> "Sheet":
    """The rule with an id.

    Raises:
        WrongInput: there is no such rule; the message has the closest match.
    """
    from muster.policies.engine.rule_index import UnknownRule, sheet_of

    try:
        return sheet_of(id)
    except UnknownRule as fault:
        if near := closest_match(id, PSEUDO_RULES):
            raise WrongInput(f"no rule '{id}'; did you mean '{near}'?") from None
        raise WrongInput(str(fault)) from None


def _explain_no_rule(name: str, sheet: PseudoRule, *, as_json: bool) -> None:
    """Explains a name that a report uses where it has no rule: its meaning and the remedy."""
    from muster import terminal

    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump([{"id": name, "title": sheet.title, "why": sheet.why, "remedy": sheet.remedy}]))
        return
    style = terminal.style()
    lines = (*_item("why", sheet.why), *_item("remedy", sheet.remedy))
    terminal.write_lines([style.strong(name), f"{sheet.title} (an entry of reports that is not a rule)", "", *lines])


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


def _readable(rule: "Sheet", style: "Style") -> Iterator[str]:
    import json
    import textwrap

    sheet = _sheet(rule)
    yield style.strong(sheet["id"])
    yield from textwrap.wrap(sheet["title"], _width())
    yield ""
    for key in ("level", "severity", "backends", "why", "remedy", "source", "facts", "page"):
        value = sheet[key] or "-"
        yield from _item(key, ", ".join(value) if isinstance(value, list) else value)
    for name, option in sheet["options"].items():
        text = str(option["description"])
        default = "" if "Default:" in text else f" Default: {json.dumps(option['default'])}."
        yield from _item("option", f"{name}: {text}{default}")


def _item(key: str, text: str) -> list[str]:
    """An item of a sheet, wrapped to as many lines as it needs. An address stays whole."""
    import textwrap

    return textwrap.wrap(
        text,
        _width(),
        initial_indent=f"{key:<10}",
        subsequent_indent=" " * 10,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _width() -> int:
    import shutil

    return min(shutil.get_terminal_size((100, 24)).columns, 100)
