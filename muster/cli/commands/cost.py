"""`muster cost`: what stacks cost by the hour and month, part by part."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import WrongInput, worst
from muster.cli.options import AsOf, Json, _stacks, day

if TYPE_CHECKING:
    from muster.blueprint.cluster import ClusterBlueprint
    from muster.config.stack_file import StackFile
    from muster.extras.cost.estimate import Cost


@dataclass(frozen=True, slots=True)
class Costed:
    """A stack and its cost."""

    stack: str
    backend: str | None
    """None where the stack has only add-ons for another stack's cluster, which may not be available."""
    region: str
    cost: "Cost"
    addons_of: str = ""
    """That other stack."""


def cost(
    stacks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STACK...", help="Stacks: their names, or their files.", autocompletion=_stacks, show_default=False
        ),
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
    costed = [_costed(each, _blueprint(each), today) for each in _readable(opened, as_json=as_json)]
    if as_json:
        terminal.write(cost_report.cost_document(costed, today))
    else:
        terminal.write_lines(cost_report.cost_lines(costed, terminal.style()))


def _readable(opened: Sequence["StackFile"], *, as_json: bool) -> Sequence["StackFile"]:
    """The stacks, if none of them has schema errors.

    Args:
        opened: the stacks.
        as_json: whether to print the errors in the format of `muster check --json`.

    Raises:
        typer.Exit: a stack has schema errors; all of them are printed.
    """
    from muster import terminal
    from muster.cli.findings import Report
    from muster.cli.stacks import faulty_report
    from muster.cli.writers import json, text

    reports = [faulty_report(each, each.faults) for each in opened if each.described is None]
    if reports and as_json:
        terminal.write(json.write(Report(tuple(reports))))
    for report in reports if not as_json else ():
        terminal.complain(*text.stack_lines(report, terminal.error_style()))
    if reports:
        raise typer.Exit(worst(report.exit() for report in reports))
    return opened


def _blueprint(opened: "StackFile") -> "ClusterBlueprint | None":
    """The blueprint of a stack; None if it has only add-ons for another stack's cluster."""
    from muster.config.description.kubernetes_cluster import AddonsOf

    return None if isinstance(opened.described, AddonsOf) else opened.derive()


def _costed(opened: "StackFile", blueprint: "ClusterBlueprint | None", as_of: date) -> Costed:
    from muster.config.description.kubernetes_cluster import AddonsOf
    from muster.extras.cost.estimate import OF_ADDONS, Cost, cost_of
    from muster.extras.cost.prices import price_table

    if blueprint is None:
        assert isinstance(opened.described, AddonsOf)
        nothing = Cost(opened.region, as_of, (), (), (OF_ADDONS,))
        return Costed(opened.stack, None, opened.region, nothing, opened.described.addons_of)
    made = cost_of(blueprint, price_table(), as_of)
    return Costed(opened.stack, blueprint.described.backend, blueprint.region, made)
