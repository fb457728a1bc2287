"""Capacity reservations that a program creates."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import CapacityReservation, Fleet
from muster.hardware.other_types import future_dated_series
from muster.hardware.quotas import vcpus_of
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN

_MOST = 1000
_AHEAD = (timedelta(days=5), timedelta(days=120))
_LEAST_VCPUS = 32
"""The minimum of a future-dated reservation. Older pages of EC2's guide have 64; the newer number refuses less."""


@rule(
    "reservation-created-legal",
    title="A program creates only reservations that EC2 accepts",
    judges=CapacityReservation,
    backends=IN_EC2,
    why="EC2 creates reservations of 1 to 1,000 instances. It accepts future dates only for C, M, R, I, T and G types "
    "(never for P and Trainium types), 5 to 120 days ahead, for at least 32 vCPUs and outside placement groups.",
    source="EC2 API, CreateCapacityReservation; EC2 user guide, Future-dated Capacity Reservations",
    remedy="Reserve at once, or buy a Capacity Block for P and Trainium types.",
    facts=("rules.md#35",),
)
def reservation_created_legal(reservation: CapacityReservation, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count = reservation.count
    if count is UNKNOWN:
        yield rule.unjudged(reservation.place, "instanceCount (known only after `pulumi up`)")
    elif count is not None and not 1 <= count <= _MOST:
        got = f"instanceCount is {count}, but EC2 creates reservations of 1 to {_MOST} instances"
        remedy = f"set instanceCount to a number from 1 to {_MOST}, and split a larger number into several reservations"
        yield rule.finding(reservation.place, got, remedy)
    if reservation.starts is None:
        return
    if reservation.instance is UNKNOWN or reservation.starts is UNKNOWN:
        yield rule.unjudged(reservation.place, "the instance type and start of a future-dated reservation")
        return
    for got, remedy in _future_dated(reservation, str(reservation.instance), reservation.starts, fleet.as_of):
        yield rule.finding(reservation.place, got, remedy)


def _future_dated(
    reservation: CapacityReservation, instance: str, starts: str, as_of: date
) -> Iterator[tuple[str, str]]:
    series = re.match(r"[a-z]*", instance)
    if series and series.group() not in future_dated_series():
        got = f"the reservation of {instance} has a startDate, which EC2 does not accept for this type"
        yield got, "buy a Capacity Block, or remove startDate"
        return
    first, last = (as_of + ahead for ahead in _AHEAD)
    if not first.isoformat() <= starts[: len("2026-12-01")] <= last.isoformat():
        got = f"the reservation starts on {starts}, but EC2 accepts only 5 to 120 days ahead"
        yield got, f"set startDate to a day from {first} to {last}"
    if reservation.placement_group is not None:
        yield "the reservation has a startDate and is in a placement group", "remove placementGroupArn or startDate"
    vcpus = vcpus_of(instance)
    if vcpus and isinstance(reservation.count, int) and reservation.count * vcpus < _LEAST_VCPUS:
        got = f"the reservation has a startDate and {reservation.count * vcpus} vCPUs, fewer than {_LEAST_VCPUS}"
        yield got, f"set instanceCount to at least {-(-_LEAST_VCPUS // vcpus)}"
