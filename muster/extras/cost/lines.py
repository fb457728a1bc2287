"""Lines of a cost: counts, money, and the product of both."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from muster.extras.cost.prices import Item, Price, Prices

HOURS_A_MONTH = 730
"""The hours of a month in AWS's calculator."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of counts."""

    least: int
    now: int
    most: int

    @classmethod
    def fixed(cls, number: int) -> "Span":
        """A fixed count."""
        return cls(number, number, number)

    def __add__(self, other: "Span") -> "Span":
        return Span(self.least + other.least, self.now + other.now, self.most + other.most)

    def __mul__(self, number: int) -> "Span":
        return Span(self.least * number, self.now * number, self.most * number)

    def beyond(self, number: int) -> "Span":
        """The counts above a number."""
        return Span(max(self.least - number, 0), max(self.now - number, 0), max(self.most - number, 0))

    @property
    def is_fixed(self) -> bool:
        """Whether it is a single number."""
        return self.least == self.now == self.most


@dataclass(frozen=True, slots=True)
class Money:
    """US dollars a month of 730 hours, exactly."""

    least: Decimal
    now: Decimal
    most: Decimal

    @classmethod
    def of(cls, units: Span, usd: Decimal) -> "Money":
        """A count of units at a monthly price."""
        return cls(units.least * usd, units.now * usd, units.most * usd)

    @classmethod
    def total(cls, parts: Iterable["Money"]) -> "Money":
        """The sum."""
        every = list(parts)
        return cls(
            sum((each.least for each in every), Decimal(0)),
            sum((each.now for each in every), Decimal(0)),
            sum((each.most for each in every), Decimal(0)),
        )

    @property
    def hourly(self) -> "Money":
        """The same per hour."""
        return Money(self.least / HOURS_A_MONTH, self.now / HOURS_A_MONTH, self.most / HOURS_A_MONTH)


class Basis(StrEnum):
    """How it is billed."""

    ON_DEMAND = "on-demand"
    """Billed while it runs, or exists."""
    COMMITTED = "committed"
    """Billed regardless of use: a reservation."""
    SPOT = "spot"
    """Billed by the hour, at a current price that is in no table."""


@dataclass(frozen=True, slots=True)
class Line:
    """Items of one kind."""

    what: str
    """``p5.48xlarge``, ``NAT gateway``."""
    item: Item
    count: Span
    """The number of items."""
    each: Price | None
    """The price of a unit; None if it is unknown."""
    group: str = ""
    """The group they belong to, or several."""
    basis: Basis = Basis.ON_DEMAND
    size: int = 1
    """The units of one item: the GiB of a volume."""
    note: str = ""

    @property
    def monthly(self) -> Money | None:
        """The cost of all items; None if the price is unknown, never zero."""
        if self.each is None:
            return None
        usd = self.each.usd if self.each.unit.of_a_month else self.each.usd * HOURS_A_MONTH
        return Money.of(self.count * self.size, usd)

    @property
    def unknown(self) -> bool:
        """Whether there are, or can be, items without a known price."""
        return self.each is None and self.count.most > 0


@dataclass(frozen=True, slots=True)
class Pricing:
    """Prices in one Region."""

    prices: Prices
    region: str

    def price(self, item: Item) -> Price | None:
        """The price of one unit; None if it is unknown."""
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
