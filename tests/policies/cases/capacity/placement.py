"""Placement groups of reservations that others made."""

from muster.config.description.capacity import Reservation
from muster.fleet.resources import Fleet
from tests.factories import DROP, a_fleet, a_group, a_template, on, reservation_facts


def placed(placement: object, said: Reservation | None = None, made_in: object = "pg-theirs") -> Fleet:
    known = reservation_facts() if made_in is DROP else reservation_facts(placementGroup=made_in)
    return a_fleet(a_template(placement_group=placement, **on()), a_group(reservation=said), facts=known)
