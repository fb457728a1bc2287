"""Instances that are paid in advance: Capacity Blocks and training plans. They are not in any total by the hour."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from muster.fleet.capacity_states import OVER
from muster.fleet.description.capacity import BLOCKS_CHANGE_AT
from muster.fleet.facts import ReservationFacts
from muster.fleet.prices import Price

_SECONDS = 3600


class Way(StrEnum):
    """What is paid in advance."""

    CAPACITY_BLOCK = "capacity-block"
    TRAINING_PLAN = "training-plan"


@dataclass(frozen=True, slots=True)
class Prepaid:
    """A block, or a plan."""

    way: Way
    name: str
    """Its id, ARN or offering."""
    instance: str
    count: int
    groups: tuple[str, ...]
    moment: datetime
    """From when on hours are left, in UTC."""
    starts: datetime | None = None
    ends: datetime | None = None
    """None: nobody said when."""
    over: bool = False
    """Whether AWS says that it is no more."""
    to_buy: bool = False
    """Whether `pulumi up` buys it."""
    each: Price | None = None
    """What a new one of its kind is sold for, an instance and hour. What was paid for this one was fixed when it was
    bought."""

    @property
    def hours(self) -> Decimal | None:
        """How long it is, in all."""
        return _hours(self.starts, self.ends) if self.starts and self.ends else None

    @property
    def ended(self) -> bool:
        """Whether it is over: then nothing is committed by it."""
        return self.over or (self.ends is not None and self.ends <= self.moment)

    @property
    def hours_left(self) -> Decimal | None:
        """Hours that are left of it; all of them while it has not begun."""
        if self.ended:
            return Decimal(0)
        if self.ends is None:
            return None
        return _hours(max(self.moment, self.starts) if self.starts else self.moment, self.ends)

    @property
    def begun(self) -> bool | None:
        """Whether it has begun; None where nobody said when."""
        return None if self.starts is None else self.starts <= self.moment

    @property
    def worth(self) -> Decimal | None:
        """What one like it is sold for now, whole and in advance; None where no price, or no end, is known."""
        return self.each.usd * self.count * self.hours if self.each and self.hours is not None else None


def _hours(begin: datetime, end: datetime) -> Decimal:
    return Decimal(int((end - begin).total_seconds())) / _SECONDS


def is_over(known: ReservationFacts, moment: datetime) -> bool:
    """Whether AWS says that a reservation, or a block, holds nothing any more."""
    return known.exists is False or known.state in OVER or (known.end is not None and known.end <= moment)


def on_day(day: date) -> datetime:
    """When a block changes on a day."""
    return datetime.combine(day, BLOCKS_CHANGE_AT)
