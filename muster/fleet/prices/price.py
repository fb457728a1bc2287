"""A price, and who says so."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum


class Unit(StrEnum):
    """What a price is for."""

    HOUR = "hour"
    GB_MONTH = "GB-month"
    """AWS counts GiB, and writes GB."""
    IOPS_MONTH = "IOPS-month"
    MIBPS_MONTH = "MiB/s-month"

    @property
    def of_a_month(self) -> bool:
        """Whether it is for a month; else for an hour."""
        return self is not Unit.HOUR


@dataclass(frozen=True, slots=True)
class Price:
    """What one unit costs, in US dollars."""

    usd: Decimal
    unit: Unit
    source: str
    """For people: who says so."""
    seen: date
    """The day it is known to have been AWS's."""
    asked: bool = False
    """Whether AWS gave it to this account now; else it is the table's."""
    near: str = ""
    """What it is the price of, where it only stands in for one that is not known."""
