"""What makes a reservation one that nothing launches into."""

from collections.abc import Iterator
from datetime import date

from muster.fleet.facts import ReservationFacts, ReservationState
from policies.reading.targets import BLOCK_TYPE, PLATFORM, TENANCY, Kind, Target

_WAITING = (ReservationState.SCHEDULED, ReservationState.PAYMENT_PENDING)
"""States of a Capacity Block that has not begun: its group waits (`capacity-block-waits`)."""


def faults_of(known: ReservationFacts, kind: Kind, as_of: date, platform: str | None = PLATFORM) -> Iterator[str]:
    """What is wrong with it, as far as known: ``is expired``, ``is for Windows``.

    Args:
        known: what is known of it.
        kind: what it is named as.
        as_of: the day to judge by.
        platform: what the instances need; None where nobody knows.
    """
    if known.exists is False:
        yield "does not exist"
        return
    block = known.reservation_type == BLOCK_TYPE if known.reservation_type else kind is Kind.BLOCK
    over = _end(known)
    if known.state not in (None, ReservationState.ACTIVE, *(_WAITING if block else ())):
        yield f"is {known.state}"
    # A block's last day ends at 11:30 UTC, and EC2 takes its instances from 11:00 on: that day counts as over.
    elif over is not None and (over <= as_of if block else over < as_of):
        yield f"{'ends' if over == as_of else 'ended'} on {over}"
    if platform is not None and known.platform not in (None, platform):
        yield f"is for {known.platform}"
    if known.tenancy not in (None, TENANCY):
        yield f"is of {known.tenancy} tenancy"
    if kind is Kind.RESERVATION and block:
        yield "is a Capacity Block"
    if kind is Kind.BLOCK and not block:
        yield "is an On-Demand Capacity Reservation"


def waits(target: Target | None) -> bool:
    """Whether AWS says of a Capacity Block that it has not begun."""
    return target is not None and any(each.known.state in _WAITING for each in target.holdings)


def _end(known: ReservationFacts) -> date | None:
    return known.end.date() if known.end else None
