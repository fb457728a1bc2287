"""Whether a reservation can be launched into at all."""

from collections.abc import Iterator
from datetime import UTC

from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.resources import Fleet, NodeGroup
from policies.rule import Rule, Severity, Verdict, rule
from policies.rules.reading import reservation_of
from policies.words import some

PLATFORM, TENANCY, KIND = "Linux/UNIX", "default", "default"
"""What EKS's Linux nodes on an On-Demand Capacity Reservation need."""


@rule(
    "reservation-usable",
    title="A reservation is active, for Linux, of default tenancy, and no Capacity Block",
    severity=Severity.CRITICAL,
    judges=NodeGroup,
    why="Nothing launches into a reservation that is over, for another platform or tenancy; a Capacity Block takes a "
    "market type and a node group of its own kind.",
    source="EC2 API, CapacityReservation; ParallelCluster ec2_validators.py (type)",
    remedy="Name a reservation that instances can be launched into.",
    facts=("rules.md#24", "rules.md#26", "pains.md#4"),
)
def reservation_usable(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = reservation_of(group, fleet)  # what is missing of the target, reservation-zone-matches-subnet says
    if target is None:
        return
    known = fleet.reservation_facts(target) or ReservationFacts()
    wrong = list(_wrong(known, fleet))
    if wrong:
        yield rule.finding(
            group.place,
            at="capacity.reservation.id",
            got=f"reservation {target} {some(wrong)}",
            remedy="name a reservation that is active, for Linux/UNIX and of default tenancy",
        )
    elif missing := [name for name, value in _asked(known).items() if value is None]:
        yield rule.unjudged(group.place, fleet.missing(f"the {some(missing)} of reservation {target}"))


def _asked(known: ReservationFacts) -> dict[str, object]:
    return {
        "state": known.state,
        "platform": known.platform,
        "tenancy": known.tenancy,
        "reservationType": known.reservation_type,
    }


def _wrong(known: ReservationFacts, fleet: Fleet) -> Iterator[str]:
    if known.state not in (None, ReservationState.ACTIVE):
        yield f"is {known.state}"
    elif known.end is not None and known.end.astimezone(UTC).date() < fleet.as_of:
        yield f"ended on {known.end.astimezone(UTC).date()}"
    if known.platform not in (None, PLATFORM):
        yield f"is for {known.platform}"
    if known.tenancy not in (None, TENANCY):
        yield f"is of {known.tenancy} tenancy"
    if known.reservation_type not in (None, KIND):
        yield "is a Capacity Block"
