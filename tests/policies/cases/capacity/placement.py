"""Placement groups of reservations that others made."""

from muster.config.description.capacity import Reservation
from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, a_fleet, a_group, a_reservation, a_template, facts, on, reservation_facts
from tests.policies.capacity import OURS, RESERVATION, WORKERS
from tests.policies.case import case

PLACED = "placement-group-by-provenance"


def placed(placement: object, said: Reservation | None = None, made_in: object = "pg-theirs") -> Fleet:
    known = reservation_facts() if made_in is DROP else reservation_facts(placementGroup=made_in)
    return a_fleet(a_template(placement_group=placement, **on()), a_group(reservation=said), facts=known)


BY_YOU = a_reservation(**{"provided-by": "you"})


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def a_placement_group_named_for_a_reservation_of_aws() -> Fleet:
    return placed(None, a_reservation(**{"placement-group": "pg-theirs"}))


@case()
def a_reservation_of_aws_in_whatever_placement_group() -> Fleet:
    return placed(None, a_reservation())


@case()
def launched_where_it_was_made() -> Fleet:
    return placed("pg-theirs", BY_YOU)


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def launched_in_another() -> Fleet:
    return placed("pg-other", BY_YOU)


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def launched_in_a_new_one() -> Fleet:
    return placed(OURS, BY_YOU)


@case(unjudged=(f"{PLACED} @ {WORKERS}",))
def launched_in_a_new_one_and_nobody_knows_where_it_was_made() -> Fleet:
    return placed(OURS, BY_YOU, made_in=DROP)


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def a_foreign_group_in_none() -> Fleet:
    return placed(None)


@case(unjudged=(f"{PLACED} @ {WORKERS}",))
def a_foreign_group_in_one_of_its_program() -> Fleet:
    """The program may have made the reservation in it: only the id would tell."""
    return placed(OURS)


@case(unjudged=(f"{PLACED} @ {WORKERS}",))
def a_foreign_group_in_one_not_yet_known() -> Fleet:
    return placed(UNKNOWN)


@case()
def a_placement_group_without_reservation() -> Fleet:
    return a_fleet(a_template(placement_group=OURS), facts=facts())
