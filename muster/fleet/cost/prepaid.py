"""Instances that are paid in advance: Capacity Blocks and training plans. They are not in any total by the hour."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import StrEnum

from muster.fleet.prices import Price

BLOCKS_CHANGE_AT = time(11, 30, tzinfo=UTC)
"""Capacity Blocks begin and end at this time of the day (EC2 user guide, "Capacity Blocks")."""

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
    as_of: date
    starts: datetime | None = None
    ends: datetime | None = None
    """None: nobody said when."""
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
    def hours_left(self) -> Decimal | None:
        """Hours that are left of it, from the beginning of the day in UTC; all of them while it has not begun."""
        if self.ends is None:
            return None
        now = datetime.combine(self.as_of, time(tzinfo=UTC))
        return max(Decimal(0), _hours(max(now, self.starts) if self.starts else now, self.ends))

    @property
    def begun(self) -> bool | None:
        """Whether it begins on that day or has begun; None where nobody said when."""
        return None if self.starts is None else self.starts.date() <= self.as_of

    @property
    def worth(self) -> Decimal | None:
        """What one like it is sold for now, whole and in advance; None where no price, or no end, is known."""
        return self.each.usd * self.count * self.hours if self.each and self.hours is not None else None


def _hours(begin: datetime, end: datetime) -> Decimal:
    return Decimal(int((end - begin).total_seconds())) / _SECONDS


def on_day(day: date) -> datetime:
    """When a block changes on a day."""
    return datetime.combine(day, BLOCKS_CHANGE_AT)
