"""What stacks cost, for programs. Amounts are decimals in strings: no float is money."""

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from muster.cli.report import CONTRACT
from muster.cli.writers.json import dump
from muster.fleet.cost import HOURS_A_MONTH, Cost, Line, Money, Prepaid, Span
from muster.fleet.prices import Price

if TYPE_CHECKING:
    from muster.cli.cost import Costed, Priced

_EXACT = Decimal("0.000001")


def document(costed: Sequence["Costed"], priced: "Priced", as_of: date) -> str:
    """Every stack, and where the prices are from."""
    return dump(
        {
            "contract": CONTRACT,
            "currency": "USD",
            "hoursAMonth": HOURS_A_MONTH,
            "asOf": as_of.isoformat(),
            "asked": not priced.unasked,
            "unasked": priced.unasked or None,
            "unanswered": list(priced.unanswered),
            "advice": list(priced.advice),
            "stacks": [_stack(each) for each in costed],
        }
    )


def _stack(costed: "Costed") -> dict[str, Any]:
    cost = costed.cost
    return {
        "stack": costed.stack,
        "backend": costed.backend,
        "region": costed.region,
        **totals(cost),
        "lines": [_line(each) for each in cost.lines],
        "prepaid": [_prepaid(each) for each in cost.prepaid],
        "notCounted": list(cost.left_out),
    }


def totals(cost: Cost) -> dict[str, Any]:
    """What all lines together come to."""
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


def summary(cost: Cost) -> dict[str, Any]:
    """What `muster plan` has of it."""
    seen = sorted(each.seen for each in cost.prices)
    return {
        **totals(cost),
        "prepaid": sum(not each.ended for each in cost.prepaid),
        "seen": [seen[0].isoformat(), seen[-1].isoformat()] if seen else None,
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "what": line.what,
        "item": str(line.item),
        "group": line.group or None,
        "billed": line.basis.value,
        "count": _span(line.count),
        "size": line.size,
        "each": _price(line.each),
        **_both(line.monthly),
        "note": line.note or None,
    }


def _prepaid(paid: Prepaid) -> dict[str, Any]:
    return {
        "way": paid.way.value,
        "name": paid.name,
        "instance": paid.instance,
        "count": paid.count,
        "groups": list(paid.groups),
        "starts": paid.starts.isoformat() if paid.starts else None,
        "ends": paid.ends.isoformat() if paid.ends else None,
        "hours": _amount(paid.hours),
        "hoursLeft": _amount(paid.hours_left),
        "hoursLeftFrom": paid.moment.isoformat(),
        "ended": paid.ended,
        "toBuy": paid.to_buy,
        "each": _price(paid.each),
        "soldFor": _amount(paid.worth),
    }


def _price(price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    return {
        "usd": f"{price.usd:f}",
        "unit": price.unit.value,
        "source": price.source,
        "seen": price.seen.isoformat(),
        "asked": price.asked,
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
