"""Capacity reservations that a program makes."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from muster.fleet.resources import CapacityReservation, Fleet
from muster.hardware.other_types import future_dated_series
from muster.hardware.quotas import vcpus_of
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule

_MOST = 1000
_AHEAD = (timedelta(days=5), timedelta(days=120))
_LEAST_VCPUS = 32
"""The minimum of a future-dated reservation. Older pages of EC2's guide have 64; the newer number refuses less."""


@rule(
    "reservation-created-legal",
    title="A reservation that a program makes is one that EC2 makes",
    judges=CapacityReservation,
    backends=("eks", "parallelcluster"),
    why="EC2 makes reservations of 1 to 1,000 instances. It takes future dates for C, M, R, I, T and G types only, 5 "
    "to 120 days ahead, from 32 vCPUs on and in no placement group: never for P and Trainium types.",
    source="EC2 API, CreateCapacityReservation; EC2 user guide, Future-dated Capacity Reservations",
    remedy="Reserve at once, or buy a Capacity Block for P and Trainium types.",
    facts=("rules.md#35",),
)
def reservation_created_legal(reservation: CapacityReservation, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count = reservation.count
    if count is UNKNOWN:
        yield rule.unjudged(reservation.place, "instanceCount, not known before creation")
    elif count is not None and not 1 <= count <= _MOST:
        got = f"a reservation of {count} instances"
        yield rule.finding(reservation.place, got, f"reserve 1 to {_MOST}, in several reservations where it is more")
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
        yield f"a future-dated reservation of {instance}", "buy a Capacity Block of it, or reserve without startDate"
        return
    first, last = (as_of + ahead for ahead in _AHEAD)
    if not first.isoformat() <= starts[: len("2026-12-01")] <= last.isoformat():
        yield f"a reservation that starts on {starts}", f"have it start from {first} to {last}"
    if reservation.placement_group is not None:
        yield "a future-dated reservation in a placement group", "leave placementGroupArn out, or startDate"
    vcpus = vcpus_of(instance)
    if vcpus and isinstance(reservation.count, int) and reservation.count * vcpus < _LEAST_VCPUS:
        got = f"a future-dated reservation of {reservation.count * vcpus} vCPUs"
        yield got, f"reserve {-(-_LEAST_VCPUS // vcpus)} or more of {instance}"
