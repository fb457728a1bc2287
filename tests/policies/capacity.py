"""Groups on reservations with defaults: a case shows only what matters."""

from muster.config.description.capacity import Reservation
from muster.fleet.resources import CapacityReservation, Fleet, NodeGroup, Place, Ref
from muster.fleet.resources.ref import CAPACITY_RESERVATION, PLACEMENT_GROUP
from tests.factories import a_fleet, a_group, a_reservation, a_template, on

OURS = Ref(PLACEMENT_GROUP, "workers")


def reserved(said: Reservation | None = None, **group: object) -> tuple[object, NodeGroup]:
    """The template and the group on the default reservation."""
    return a_template(**on()), a_group(reservation=said or a_reservation(), **group)


def made(**more: object) -> CapacityReservation:
    """A reservation that the program makes itself."""
    defaults = {
        "instance": "p5.48xlarge",
        "zone": "us-west-2a",
        "count": 1,
        "placement_group": None,
        "starts": None,
        "platform": "Linux/UNIX",
        "place": Place("reservations.p5"),
    }
    return CapacityReservation(Ref(CAPACITY_RESERVATION, "p5"), **{**defaults, **more})


def on_made(*things: object, template: dict[str, object] | None = None, **more: object) -> Fleet:
    """The default group on a reservation that the program makes itself."""
    reservation = made(**more)
    return a_fleet(reservation, a_template(**on(reservation.ref), **(template or {})), *things)
