"""`muster cost`: what stacks cost by the hour and month, part by part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import terminal
from muster.cli import tables
from muster.cli.exits import worst
from muster.cli.findings import CONTRACT, Report
from muster.cli.options import AsOf, Json, _stacks, day
from muster.cli.writers import json, text
from muster.cli.writers.json import dump
from muster.finding import WrongInput
from muster.message_text import count_noun

if TYPE_CHECKING:
    from muster.cost.estimate import Cost, Line, Money
    from muster.cost.prices import Price
    from muster.stack.stack_file import StackFile
    from muster.terminal import Style


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
    from muster.cli.stacks import known_stacks, open_all, open_stacks

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
        terminal.write(cost_document(costed, today))
    else:
        terminal.write_lines(cost_lines(costed, terminal.style()))


def _require_readable(opened: Sequence["StackFile"], *, as_json: bool) -> None:
    """Prints the errors of stacks with schema errors, with `as_json` in the format of `muster check --json`.

    Raises:
        typer.Exit: there is such a stack.
    """
    from muster.cli.stacks import faulty_report

    reports = [faulty_report(each, each.faults) for each in opened if each.described is None]
    if not reports:
        return
    if as_json:
        terminal.write(json.write(Report(tuple(reports))))
    else:
        terminal.complain(*(line for each in reports for line in text.stack_lines(each, terminal.error_style())))
    raise typer.Exit(worst(report.exit() for report in reports))


def _costed(opened: "StackFile", as_of: date) -> "Costed":
    from muster.config.description.kubernetes_cluster import AddonsOf
    from muster.cost.estimate import OF_ADDONS, Cost, cost_of

    if isinstance(opened.described, AddonsOf):
        return Costed(opened.stack, None, opened.region, Cost((), (OF_ADDONS,)), opened.described.addons_of)
    blueprint = opened.derive()
    return Costed(opened.stack, blueprint.described.backend, blueprint.region, cost_of(blueprint, as_of))


_CENT, _EXACT = Decimal("0.01"), Decimal("0.000001")
_HEADS = ("what", "group", "number", "price of one", "price from", "an hour", "a month", "note")
_OF = {"hour": "an hour", "GB-month": "per GB-month"}
_NO_PRICE = "no price known"


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


def cost_lines(costed: Sequence[Costed], style: "Style") -> Iterator[str]:
    """Every stack, and the sources of the prices."""
    for each in costed:
        kind = each.backend or f"add-ons of {each.addons_of}"
        yield style.strong(f"{each.stack} ({kind}, {each.region}): {_sum(each.cost)}")
        yield from (f"  {line}" for line in _more(each.cost))
        if each.cost.lines:
            yield ""
            yield from tables.table(_HEADS, map(_row, each.cost.lines)).removesuffix("\n").split("\n")
        yield ""
        yield "Not counted:"
        yield from (f"  {line}" for line in each.cost.left_out)
        yield ""
    used = list(dict.fromkeys(price for each in costed for price in each.cost.prices))
    if used:
        yield f"Prices: {_dates(used)}, {count_noun(len(used), 'price')}, from:"
        yield from (f"  {seen}  {source}" for seen, source in sorted({(price.seen, price.source) for price in used}))
    yield "In US dollars, before tax; a month has 730 hours."


def cost_line(stack: str, cost: "Cost") -> str:
    """The cost in `muster plan`."""
    dates = f" Prices: {_dates(cost.prices)}." if cost.prices else ""
    return f"Costs {_sum(cost)}. `muster cost {stack}` lists the parts.{dates}"


def _sum(cost: "Cost") -> str:
    """``about $55.52 an hour now, $40,532.40 a month; at most $56.23 an hour``."""
    month = cost.monthly
    if not cost.lines:
        return "nothing by the hour"
    if month is None:
        return _NO_PRICE
    of = "at least" if cost.unknown else "about"
    most = f"; at most {_dollars(month.hourly.most)} an hour" if month.most != month.now else ""
    return f"{of} {_dollars(month.hourly.now)} an hour now, {_dollars(month.now)} a month{most}"


def _more(cost: "Cost") -> Iterator[str]:
    if cost.reserved and cost.reserved.now:
        yield f"of this, {_dollars(cost.reserved.hourly.now)} an hour is for reservations, whether nodes run or not"
    if cost.unknown:
        names = dict.fromkeys(each.what for each in cost.unknown)
        yield f"without these, which have no known price: {', '.join(names)}"


def _dollars(amount: Decimal) -> str:
    """An amount to the cent: ``$40,516.40``."""
    return f"${amount.quantize(_CENT, ROUND_HALF_UP):,}"


def _row(line: "Line") -> tuple[str, ...]:
    money, price = line.monthly, line.each
    return (
        line.what,
        line.group or "-",
        str(line.now) if line.now == line.most else f"{line.now}, at most {line.most}",
        f"{'~' if price.near else ''}{_unit_price(price)} {_OF[price.unit]}" if price else "-",
        str(price.seen) if price else "-",
        _amount(money.hourly) if money else _NO_PRICE,
        _amount(money) if money else _NO_PRICE,
        "; ".join(filter(None, ("reserved" if line.reserved else "", line.note, price.near if price else ""))) or "-",
    )


def _amount(money: "Money") -> str:
    """The current cost; and the highest, where that is more."""
    return _dollars(money.now) + (f" (to {_dollars(money.most)})" if money.most != money.now else "")


def _unit_price(price: "Price") -> str:
    """``$0.10``, ``$27.44705``: every digit, and at least two after the point."""
    whole, _, part = f"{price.usd:f}".partition(".")
    return f"${whole}.{part.ljust(2, '0')}"


def _dates(prices: Sequence["Price"]) -> str:
    """``from the table of 2026-06-01 to 2026-10-07``."""
    first, last = min(each.seen for each in prices), max(each.seen for each in prices)
    return f"from the table of {first}" + (f" to {last}" if first != last else "")


def cost_document(costed: Sequence[Costed], as_of: date) -> str:
    """Every stack as JSON. Amounts are decimals in text; null is not zero."""
    from muster.cost.estimate import HOURS_A_MONTH

    stacks = [
        {
            "stack": each.stack,
            "backend": each.backend,
            "region": each.region,
            **_money(each.cost.monthly),
            "reserved": _money(each.cost.reserved),
            "unknown": list(dict.fromkeys(str(line.item) for line in each.cost.unknown)),
            "lines": [_line(line) for line in each.cost.lines],
            "notCounted": list(each.cost.left_out),
        }
        for each in costed
    ]
    head = {"contract": CONTRACT, "currency": "USD", "hoursAMonth": HOURS_A_MONTH, "asOf": as_of.isoformat()}
    return dump({**head, "stacks": stacks})


def _line(line: "Line") -> dict[str, Any]:
    price = line.each
    return {
        "what": line.what,
        "item": str(line.item),
        "group": line.group or None,
        "reserved": line.reserved,
        "count": {"start": line.now, "max": line.most},
        "size": line.size,
        "each": price
        and {
            "usd": f"{price.usd:f}",
            "unit": price.unit.value,
            "source": price.source,
            "seen": price.seen.isoformat(),
            "near": price.near or None,
        },
        **_money(line.monthly),
        "note": line.note or None,
    }


def _money(money: "Money | None") -> dict[str, Any]:
    """By the hour and the month."""
    return {
        name: {"start": _written(each.now), "max": _written(each.most)} if each else None
        for name, each in (("hourly", money and money.hourly), ("monthly", money))
    }


def _written(amount: Decimal) -> str:
    """To a millionth of a dollar, without the zeros at the end."""
    return f"{amount.quantize(_EXACT, ROUND_HALF_UP):f}".rstrip("0").rstrip(".")
