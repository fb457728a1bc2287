"""`muster cost`: what stacks cost by the hour and month, part by part."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.account import Profile
from muster.cli.commands.preflight import PrintIamPolicy
from muster.cli.exits import WrongInput, worst
from muster.cli.options import AsOf, Json, _stacks, day

if TYPE_CHECKING:
    from muster.blueprint.cluster import ClusterBlueprint
    from muster.config.stack_file import StackFile
    from muster.extras.cost.estimate import Cost
    from muster.extras.cost.prices import PriceTable

SECONDS = 20.0
"""Time limit of all price queries together. Prices without an answer come from the table."""


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


@dataclass(frozen=True, slots=True)
class Priced:
    """Where prices come from."""

    table: "PriceTable"
    unasked: str = ""
    """Why AWS was not queried; empty where it was."""
    unanswered: tuple[str, ...] = ()
    """The unanswered queries, and the reasons."""
    advice: tuple[str, ...] = ()
    """The remedies."""


def cost(
    stacks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STACK...", help="Stacks: their names, or their files.", autocompletion=_stacks, show_default=False
        ),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every stack of the project.")] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not query AWS. Use the prices of Muster's table.")
    ] = False,
    print_iam_policy: PrintIamPolicy = False,
    profile: Profile = None,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Estimate what stacks cost: each part by the hour and by the month, and what the estimate omits.

    With AWS credentials that allow pricing:GetProducts, the prices come from AWS. Otherwise they come from a dated
    table with sources. Neither needs a deployed stack.
    """
    from muster import terminal
    from muster.cli.commands import preflight
    from muster.cli.stacks import known_stacks, open_all, open_stacks
    from muster.cli.writers import cost_report

    if every and stacks:
        raise WrongInput("give stacks or --all, not both")
    if offline and profile:
        raise WrongInput("--profile selects AWS credentials, but --offline does not query AWS; give only one of them")
    if not (every or stacks):
        known = ", ".join(known_stacks()) or "none"
        raise WrongInput(f"give a stack, or --all (stacks: {known})")
    today = day(as_of)
    opened = open_all() if every else open_stacks(stacks or ())
    blueprints = [(each, _blueprint(each)) for each in _readable(opened, as_json=as_json)]
    asked_about = [blueprint for _, blueprint in blueprints if blueprint is not None]
    if print_iam_policy:
        preflight.print_cost_policy(asked_about, today)
        return
    priced = _offline() if offline else _priced(asked_about, today, profile)
    moment = _moment(as_of)
    costed = [_costed(each, blueprint, priced.table, today, moment) for each, blueprint in blueprints]
    if as_json:
        terminal.write(cost_report.cost_document(costed, priced, today))
    else:
        terminal.write_lines(cost_report.cost_lines(costed, priced, terminal.style()))


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


def _moment(as_of: date | None) -> datetime:
    """The start of the remaining hours: now, or the start of the day of `--as-of`."""
    from muster import clock
    from muster.extras.cost.estimate import start_of

    return start_of(as_of) if as_of else clock.now()


def _blueprint(opened: "StackFile") -> "ClusterBlueprint | None":
    """The blueprint of a stack; None if it has only add-ons for another stack's cluster."""
    from muster.config.description.kubernetes_cluster import AddonsOf

    return None if isinstance(opened.described, AddonsOf) else opened.derive()


def _costed(
    opened: "StackFile", blueprint: "ClusterBlueprint | None", table: "PriceTable", as_of: date, moment: datetime
) -> Costed:
    from muster.config.description.kubernetes_cluster import AddonsOf
    from muster.extras.cost.estimate import OF_ADDONS, Cost, cost_of

    if blueprint is None:
        assert isinstance(opened.described, AddonsOf)
        nothing = Cost(opened.region, as_of, moment, (), (), (OF_ADDONS,))
        return Costed(opened.stack, None, opened.region, nothing, opened.described.addons_of)
    made = cost_of(blueprint, table, as_of, moment)
    return Costed(opened.stack, blueprint.described.backend, blueprint.region, made)


def _offline() -> Priced:
    from muster.extras.cost.prices import price_table

    return Priced(price_table(), "--offline")


def _priced(blueprints: Iterable["ClusterBlueprint"], as_of: date, profile: str | None) -> Priced:
    """AWS's prices; the table's where AWS gives none."""
    from muster import terminal
    from muster.account.price_list import REGION, price_queries, query_prices
    from muster.account.query_runner import QueryRunner
    from muster.account.session import NoAccount, Session
    from muster.cli.account import advice, explain_no_account, unanswered_lines
    from muster.extras.cost.estimate import items_to_price
    from muster.extras.cost.prices import price_table

    table = price_table()
    items = dict.fromkeys((item, each.region) for each in blueprints for item in items_to_price(each, as_of))
    if not any(price_queries((item,), region) for item, region in items):
        return Priced(table, "the AWS Price List of the commercial Regions has no prices for these stacks")
    try:
        with terminal.progress("querying AWS for prices"):
            answer = query_prices(items, QueryRunner(Session(REGION, profile), seconds=SECONDS), day(None))
    except NoAccount as fault:
        why = explain_no_account(fault, profile)
        if profile:
            raise WrongInput(why) from None
        return Priced(table, why)
    advised = advice(answer.unanswered, "muster cost STACK --print-iam-policy", REGION)
    return Priced(
        table.before(answer.prices), unanswered=tuple(unanswered_lines(answer.unanswered)), advice=tuple(advised)
    )
