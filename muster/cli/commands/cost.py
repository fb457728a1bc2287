"""`muster cost`: what stacks cost by the hour and month, part by part."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import WrongInput, worst
from muster.cli.options import AsOf, Json, _stacks, day

if TYPE_CHECKING:
    from muster.cli.writers.cost_report import Costed
    from muster.config.stack_file import StackFile


def cost(
    stacks: Annotated[
        list[str] | None,
        typer.Argument(metavar="STACK...", help="Stacks: their names, or their files.", autocompletion=_stacks),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every stack of the project.")] = False,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Estimate what stacks cost: each part by the hour and by the month, and what the estimate omits.

    The prices come from a dated table with sources. What has no price is named.
    """
    from muster import terminal
    from muster.cli.stacks import known_stacks, open_all, open_stacks
    from muster.cli.writers import cost_report

    if every and stacks:
        raise WrongInput("give stacks or --all, not both")
    if not (every or stacks):
        known = ", ".join(known_stacks()) or "none"
        raise WrongInput(f"give a stack, or --all (stacks: {known})")
    today = day(as_of)
    opened = open_all() if every else open_stacks(stacks or ())
    _require_readable(opened, as_json=as_json)
    costed = [_costed(each, today) for each in opened]
    if as_json:
        terminal.write(cost_report.cost_document(costed, today))
    else:
        terminal.write_lines(cost_report.cost_lines(costed, terminal.style()))


def _require_readable(opened: Sequence["StackFile"], *, as_json: bool) -> None:
    """Prints the errors of stacks with schema errors, with `as_json` in the format of `muster check --json`.

    Raises:
        typer.Exit: there is such a stack.
    """
    from muster import terminal
    from muster.cli.findings import Report
    from muster.cli.stacks import faulty_report
    from muster.cli.writers import json, text

    reports = [faulty_report(each, each.faults) for each in opened if each.described is None]
    if not reports:
        return
    if as_json:
        terminal.write(json.write(Report(tuple(reports))))
    else:
        terminal.complain(*(line for each in reports for line in text.stack_lines(each, terminal.error_style())))
    raise typer.Exit(worst(report.exit() for report in reports))


def _costed(opened: "StackFile", as_of: date) -> "Costed":
    from muster.cli.writers.cost_report import Costed
    from muster.config.description.kubernetes_cluster import AddonsOf
    from muster.cost.estimate import OF_ADDONS, Cost, cost_of
    from muster.cost.prices import price_table

    if isinstance(opened.described, AddonsOf):
        return Costed(opened.stack, None, opened.region, Cost((), (OF_ADDONS,)), opened.described.addons_of)
    blueprint = opened.derive()
    return Costed(opened.stack, blueprint.described.backend, blueprint.region, cost_of(blueprint, price_table(), as_of))
