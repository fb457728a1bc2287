"""What is wrong with a reservation, by each thing that AWS says of it."""

from typing import Any

import pytest

from muster.fleet.facts import ReservationFacts, ReservationState
from policies.lookups.capacity_targets import Holding, Kind, Target, awaits_block, reservation_faults
from tests.factories import AS_OF, CR, DROP, reservation_facts

BEFORE = ("scheduled", "payment-pending")
"""EC2 user guide, Capacity Blocks: states of one that has not begun."""
BLOCK = {"reservationType": "capacity-block"}


def _known(**said: Any) -> ReservationFacts:
    return reservation_facts(**said).reservations[CR]


def _faults(kind: Kind, needed: str | None = "Linux/UNIX", /, **said: Any) -> list[str]:
    return [*reservation_faults(_known(**said), kind, AS_OF, needed)]


@pytest.mark.parametrize("state", ReservationState)
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("type_", ["default", "capacity-block", DROP])
def test_the_state_of_a_reservation(state: ReservationState, kind: Kind, type_: Any) -> None:
    """Only an active one takes instances; for a block that has not begun its group waits, whatever it is named as."""
    of_block = type_ == "capacity-block" or (type_ is DROP and kind is Kind.BLOCK)
    fine = state == "active" or (of_block and state in BEFORE)
    mistaken = {
        (Kind.RESERVATION, True): ["is a Capacity Block"],
        (Kind.BLOCK, False): ["is an On-Demand Capacity Reservation"],
    }.get((kind, of_block), [])
    said = [] if fine else [f"is {state}"]
    assert _faults(kind, state=state.value, reservationType=type_) == [*said, *mistaken]


@pytest.mark.parametrize(
    ("kind", "said", "faults"),
    [
        (Kind.RESERVATION, {}, []),
        (Kind.RESERVATION, {"state": DROP, "platform": DROP, "tenancy": DROP, "reservationType": DROP}, []),
        (Kind.RESERVATION, {"exists": False, "state": "expired", "platform": "Windows"}, ["does not exist"]),
        (Kind.RESERVATION, {"exists": True}, []),
        (Kind.RESERVATION, {"platform": "Windows"}, ["is for Windows"]),
        (Kind.RESERVATION, {"tenancy": "dedicated"}, ["is of dedicated tenancy"]),
        (Kind.RESERVATION, {"end": "2026-11-20T23:59:00Z"}, ["ended on 2026-11-20"]),
        (Kind.RESERVATION, {"end": "2026-11-21T00:00:00Z"}, []),
        (Kind.BLOCK, {**BLOCK, "end": "2026-11-20T11:30:00Z"}, ["ended on 2026-11-20"]),
        (Kind.BLOCK, {**BLOCK, "end": "2026-11-21T11:30:00Z"}, ["ends on 2026-11-21"]),
        (Kind.BLOCK, {**BLOCK, "end": "2026-11-22T11:30:00Z"}, []),
        (Kind.GROUP, {**BLOCK, "end": "2026-11-21T11:30:00Z"}, ["ends on 2026-11-21"]),
        (Kind.GROUP, BLOCK, []),
        (Kind.RESERVATION, {"state": "expired", "end": "2026-11-01T00:00:00Z"}, ["is expired"]),
        (
            Kind.RESERVATION,
            {**BLOCK, "state": "expired", "platform": "Windows", "tenancy": "dedicated"},
            ["is expired", "is for Windows", "is of dedicated tenancy", "is a Capacity Block"],
        ),
    ],
)
def test_what_is_wrong_with_a_reservation(kind: Kind, said: dict[str, Any], faults: list[str]) -> None:
    """All of it, in this order; what nobody says is not wrong."""
    assert _faults(kind, **said) == faults


def test_a_platform_that_nobody_knows_to_need() -> None:
    """Any will do; one that is known has to be the same."""
    assert [_faults(Kind.RESERVATION, each, platform="Windows") for each in (None, "Windows")] == [[], []]
    assert _faults(Kind.RESERVATION, "Windows") == ["is for Linux/UNIX"]


@pytest.mark.parametrize("state", ReservationState)
def test_what_waits(state: ReservationState) -> None:
    """A target as soon as one of what is in it has not begun; nothing is no target."""
    holdings = [Holding(CR, _known(state=each), observed=True) for each in ("active", state.value)]
    for order in (holdings, holdings[::-1]):
        assert awaits_block(Target(Kind.BLOCK, CR, tuple(order))) == (state in BEFORE)
    assert not awaits_block(None)
    assert not awaits_block(Target(Kind.BLOCK, CR, ()))
