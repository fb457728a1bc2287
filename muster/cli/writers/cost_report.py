"""The cost of stacks, as text and JSON."""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Any

from muster.cli.findings import CONTRACT
from muster.cli.writers.json import dump
from muster.extras.cost.estimate import HOURS_A_MONTH, Basis, Cost, Line, Money, Prepaid, PrepaidKind, Span
from muster.extras.cost.prices import Kind, Price, Unit
from muster.message_text import count_noun, list_names

if TYPE_CHECKING:
    from muster.cli.commands.cost import Costed
    from muster.terminal import Style

_CENT = Decimal("0.01")
_HEADS = ("what", "group", "number", "price of one", "price from", "an hour", "a month", "billed")
_OF = {
    Unit.HOUR: "an hour",
    Unit.GB_MONTH: "per GB-month",
    Unit.IOPS_MONTH: "a month for one IOPS",
    Unit.MIBPS_MONTH: "a month for 1 MiB/s",
}
"""The unit of a price, as text."""


def dollars(amount: Decimal) -> str:
    """An amount to the cent: ``$40,516.40``. An amount below half a cent is shown as such, not as zero."""
    if 0 < amount < _CENT / 2:
        return "under $0.01"
    return f"${amount.quantize(_CENT, ROUND_HALF_UP):,}"


def cost_lines(costed: Sequence["Costed"], style: "Style") -> Iterator[str]:
    """Every stack, and the sources of the prices."""
    for each in costed:
        yield from _stack_lines(each, style)
        yield ""
    yield from _sources(costed)


def _stack_lines(costed: "Costed", style: "Style") -> Iterator[str]:
    from muster.cli import tables

    cost = costed.cost
    kind = costed.backend or f"add-ons of {costed.addons_of}"
    yield style.strong(f"{costed.stack} ({kind}, {costed.region}): {now(cost)}")
    yield from (f"  {each}" for each in _more(cost))
    if cost.lines:
        yield ""
        yield from tables.table(_HEADS, [_row(each) for each in cost.lines]).removesuffix("\n").split("\n")
    if cost.prepaid:
        yield ""
        heads = ("paid in advance", "group", "number", "instance", "until")
        yield from tables.table(heads, [_paid(each) for each in cost.prepaid]).removesuffix("\n").split("\n")
        yield from (f"  {each.name}: {_worth(each)}" for each in cost.prepaid)
    notes = dict.fromkeys(f"  {each.what}: {each.each.near}" for each in cost.near if each.each)
    if notes:
        yield ""
        yield from notes
    yield ""
    yield "Not counted:"
    yield from (f"  {each}" for each in cost.left_out)


def now(cost: Cost) -> str:
    """``about $55.52 an hour now, $40,532.40 a month``."""
    if not cost.lines:
        return "nothing by the hour"
    month = cost.monthly
    if month is None:
        return "no price known"
    of = "at least" if cost.unknown else "about"
    return f"{of} {dollars(month.hourly.now)} an hour now, {dollars(month.now)} a month"


def _more(cost: Cost) -> Iterator[str]:
    month, committed = cost.monthly, cost.committed
    if month and (month.least != month.now or month.most != month.now):
        bounds = f"between {dollars(month.hourly.least)} and {dollars(month.hourly.most)} an hour"
        yield f"{bounds}, as groups scale"
    if committed and committed.now:
        yield f"of this, {dollars(committed.hourly.now)} an hour is for reservations, whether nodes run or not"
    if cost.unknown:
        things = ", ".join(dict.fromkeys(each.what for each in cost.unknown))
        yield f"without these, which have no known price: {things}"


def _row(line: Line) -> tuple[str, ...]:
    money = line.monthly
    note = f"; {line.note}" if line.note else ""
    return (
        line.what,
        line.group or "-",
        number(line.count),
        _each(line),
        _price_source(line.each),
        span(money.hourly) if money else "no price known",
        span(money) if money else "no price known",
        f"{_BILLED[line.basis]}{note}",
    )


_BILLED = {Basis.ON_DEMAND: "on demand", Basis.COMMITTED: "reserved", Basis.SPOT: "spot"}


def number(count: Span) -> str:
    """``2``, or ``0 to 10, 2 at first``."""
    return str(count.now) if count.is_fixed else f"{count.least} to {count.most}, {count.now} at first"


def span(money: Money) -> str:
    """The current cost; and the highest, where that is more."""
    most = f" (to {dollars(money.most)})" if money.most != money.now else ""
    return f"{dollars(money.now)}{most}"


def _each(line: Line) -> str:
    """The price of a unit: ``$0.08 per GB-month``."""
    if line.each is None:
        return "-"
    near = "~" if line.each.near else ""
    return f"{near}{unit_price(line.each)} {_OF[line.each.unit]}"


def unit_price(price: Price) -> str:
    """``$0.10``, ``$27.44705``: every digit, and two behind the point at least."""
    whole, _, part = f"{price.usd:f}".partition(".")
    return f"${whole}.{part.ljust(2, '0')}"


def _price_source(price: Price | None) -> str:
    """The date of a price of the table."""
    return f"{price.seen}" if price else "-"


def _paid(paid: Prepaid) -> tuple[str, ...]:
    until = f"{paid.ends:%Y-%m-%d %H:%M} UTC" if paid.ends else "not known"
    return paid.name, ", ".join(paid.groups), str(paid.count), paid.instance, until


def hours(amount: Decimal) -> str:
    """``336``, ``11.5``."""
    return f"{amount.quantize(Decimal('0.1')):f}".removesuffix(".0")


def _worth(paid: Prepaid) -> str:
    if paid.way is PrepaidKind.TRAINING_PLAN:
        return "paid in advance; `aws sagemaker describe-training-plan` shows what it cost"
    if paid.worth is None or paid.each is None or paid.hours is None:
        return "paid in advance; the current price of its kind is not known"
    price = f"{unit_price(paid.each)} an instance and hour"
    all_of = f"{dollars(paid.worth)} for {hours(paid.hours)} h at {price} ({paid.each.seen})"
    return f"paid in advance; the current price of its kind is {all_of}"


def _sources(costed: Sequence["Costed"]) -> Iterator[str]:
    used = list(dict.fromkeys(price for each in costed for price in each.cost.prices))
    if used:
        yield f"Prices: {of(used)}, {count_noun(len(used), 'price')}, from:"
        by = sorted(used, key=lambda price: (price.seen, price.source))
        yield from (
            f"  {seen}  {source}" for (seen, source), _ in groupby(by, lambda price: (price.seen, price.source))
        )
    yield "In US dollars, before tax; a month has 730 hours."


def cost_line(stack: str, cost: Cost) -> str:
    """The cost in `muster plan`."""
    month = cost.monthly
    more = f"; at most {dollars(month.hourly.most)} an hour" if month and month.most != month.now else ""
    paid = f"; {count_noun(len(cost.prepaid), 'thing')} paid in advance" if cost.prepaid else ""
    from_ = f" Prices: {of(cost.prices)}." if cost.prices else ""
    types = list(dict.fromkeys(each.what for each in cost.unknown if each.item.kind in {Kind.INSTANCE, Kind.HYPERPOD}))
    without = f", without the instances of {list_names(types)}, whose prices Muster does not know" if types else ""
    return f"Costs {now(cost)}{without}{more}{paid}. `muster cost {stack}` lists the parts.{from_}"


def of(prices: Sequence[Price]) -> str:
    """``the table's, seen 2026-06-01 to 2026-10-07``."""
    first, last = min(each.seen for each in prices), max(each.seen for each in prices)
    return f"from the table of {first}" + (f" to {last}" if first != last else "")


if TYPE_CHECKING:
    from muster.cli.commands.cost import Costed

_EXACT = Decimal("0.000001")


def cost_document(costed: Sequence["Costed"], as_of: date) -> str:
    """Every stack, and the sources of the prices."""
    return dump(
        {
            "contract": CONTRACT,
            "currency": "USD",
            "hoursAMonth": HOURS_A_MONTH,
            "asOf": as_of.isoformat(),
            "stacks": [_stack_json(each) for each in costed],
        }
    )


def _stack_json(costed: "Costed") -> dict[str, Any]:
    cost = costed.cost
    return {
        "stack": costed.stack,
        "backend": costed.backend,
        "region": costed.region,
        **totals(cost),
        "lines": [_line_json(each) for each in cost.lines],
        "prepaid": [_prepaid_json(each) for each in cost.prepaid],
        "notCounted": list(cost.left_out),
    }


def totals(cost: Cost) -> dict[str, Any]:
    """The sum of all lines."""
    return {
        **_both(cost.monthly),
        "committed": _both(cost.committed),
        "unknown": list(dict.fromkeys(str(each.item) for each in cost.unknown)),
    }


def _both(money: Money | None) -> dict[str, Any]:
    """By the hour and the month; null is not zero."""
    return {
        "hourly": _money(money.hourly) if money else None,
        "monthly": _money(money) if money else None,
    }


def cost_summary(cost: Cost) -> dict[str, Any]:
    """What `muster plan` has of it."""
    seen = sorted(each.seen for each in cost.prices)
    return {
        **totals(cost),
        "prepaid": len(cost.prepaid),
        "seen": [seen[0].isoformat(), seen[-1].isoformat()] if seen else None,
    }


def _line_json(line: Line) -> dict[str, Any]:
    return {
        "what": line.what,
        "item": str(line.item),
        "group": line.group or None,
        "billed": line.basis.value,
        "count": _span(line.count),
        "size": line.size,
        "each": _price_json(line.each),
        **_both(line.monthly),
        "note": line.note or None,
    }


def _prepaid_json(paid: Prepaid) -> dict[str, Any]:
    return {
        "way": paid.way.value,
        "name": paid.name,
        "instance": paid.instance,
        "count": paid.count,
        "groups": list(paid.groups),
        "starts": paid.starts.isoformat() if paid.starts else None,
        "ends": paid.ends.isoformat() if paid.ends else None,
        "hours": _amount(paid.hours),
        "each": _price_json(paid.each),
        "soldFor": _amount(paid.worth),
    }


def _price_json(price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    return {
        "usd": f"{price.usd:f}",
        "unit": price.unit.value,
        "source": price.source,
        "seen": price.seen.isoformat(),
        "near": price.near or None,
    }


def _span(count: Span) -> dict[str, int]:
    return {"min": count.least, "start": count.now, "max": count.most}


def _money(money: Money) -> dict[str, str]:
    return {name: _written(each) for name, each in zip(("min", "start", "max"), _amounts(money), strict=True)}


def _amounts(money: Money) -> tuple[Decimal, ...]:
    return money.least, money.now, money.most


def _amount(amount: Decimal | None) -> str | None:
    return None if amount is None else _written(amount)


def _written(amount: Decimal) -> str:
    """To a millionth of a dollar, without the zeros behind."""
    text = f"{amount.quantize(_EXACT, ROUND_HALF_UP):f}"
    return text.rstrip("0").rstrip(".")
