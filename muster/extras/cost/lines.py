"""Lines of a cost: numbers of things, money, and what one line multiplies."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from muster.extras.cost.prices import Item, Price, Prices

HOURS_A_MONTH = 730
"""As AWS's own calculator counts a month."""


@dataclass(frozen=True, slots=True)
class Span:
    """How many of something there are."""

    least: int
    now: int
    most: int

    @classmethod
    def fixed(cls, number: int) -> "Span":
        """Always so many."""
        return cls(number, number, number)

    def __add__(self, other: "Span") -> "Span":
        return Span(self.least + other.least, self.now + other.now, self.most + other.most)

    def __mul__(self, number: int) -> "Span":
        return Span(self.least * number, self.now * number, self.most * number)

    def beyond(self, number: int) -> "Span":
        """What is more than so many."""
        return Span(max(self.least - number, 0), max(self.now - number, 0), max(self.most - number, 0))

    @property
    def is_fixed(self) -> bool:
        """Whether it is one number."""
        return self.least == self.now == self.most


@dataclass(frozen=True, slots=True)
class Money:
    """US dollars a month of 730 hours, exactly."""

    least: Decimal
    now: Decimal
    most: Decimal

    @classmethod
    def of(cls, units: Span, usd: Decimal) -> "Money":
        """So many units at a price a month each."""
        return cls(units.least * usd, units.now * usd, units.most * usd)

    @classmethod
    def total(cls, parts: Iterable["Money"]) -> "Money":
        """All of them together."""
        every = list(parts)
        return cls(
            sum((each.least for each in every), Decimal(0)),
            sum((each.now for each in every), Decimal(0)),
            sum((each.most for each in every), Decimal(0)),
        )

    @property
    def hourly(self) -> "Money":
        """The same for an hour."""
        return Money(self.least / HOURS_A_MONTH, self.now / HOURS_A_MONTH, self.most / HOURS_A_MONTH)


class Basis(StrEnum):
    """How it is billed."""

    ON_DEMAND = "on-demand"
    """While it runs, or exists."""
    COMMITTED = "committed"
    """Whether it is used or not: a reservation."""
    SPOT = "spot"
    """By the hour, at a price of the moment that no table knows."""


@dataclass(frozen=True, slots=True)
class Line:
    """Things of one kind."""

    what: str
    """``p5.48xlarge``, ``NAT gateway``."""
    item: Item
    count: Span
    """How many of them there are."""
    each: Price | None
    """What a unit costs; None: no price is known."""
    group: str = ""
    """The group they belong to, or several."""
    basis: Basis = Basis.ON_DEMAND
    size: int = 1
    """How many units one of them is: GiB of a volume."""
    note: str = ""

    @property
    def monthly(self) -> Money | None:
        """What all of them cost; None where no price is known, which is never zero."""
        if self.each is None:
            return None
        usd = self.each.usd if self.each.unit.of_a_month else self.each.usd * HOURS_A_MONTH
        return Money.of(self.count * self.size, usd)

    @property
    def unknown(self) -> bool:
        """Whether there is, or can be, something whose price is not known."""
        return self.each is None and self.count.most > 0


@dataclass(frozen=True, slots=True)
class Pricing:
    """Prices in one Region."""

    prices: Prices
    region: str

    def price(self, item: Item) -> Price | None:
        """What one unit costs; None where it is not known."""
        return self.prices.price(item, self.region)

    def line(
        self,
        what: str,
        item: Item,
        count: Span,
        *,
        group: str = "",
        basis: Basis = Basis.ON_DEMAND,
        size: int = 1,
        note: str = "",
    ) -> Line:
        """A line at the price of its item."""
        return Line(what, item, count, self.price(item), group, basis, size, note)
