"""One line of a cost: things of one kind, at one price."""

from dataclasses import dataclass
from enum import StrEnum

from muster.fleet.cost.amounts import HOURS_A_MONTH, Money, Span
from muster.fleet.prices import Item, Price, Prices


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
        """What one unit costs; None where nobody says."""
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
