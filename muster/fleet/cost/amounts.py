"""Numbers of things, and money: at least, now (as the stack comes up) and at most."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

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
