"""Placement groups of reservations that others made."""

from muster.config.description.capacity import Reservation
from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import DROP, a_fleet, a_group, a_reservation, a_template, facts, on, reservation_facts
from tests.policies.capacity import OURS
from tests.policies.case import cases


def placed(placement: object, said: Reservation | None = None, made_in: object = "pg-theirs") -> Fleet:
    known = reservation_facts() if made_in is DROP else reservation_facts(placementGroup=made_in)
    return a_fleet(a_template(placement_group=placement, **on()), a_group(reservation=said), facts=known)


BY_YOU = a_reservation(**{"provided-by": "you"})


cases(
    a_placement_group_named_for_a_reservation_of_aws=lambda: placed(
        None, a_reservation(**{"placement-group": "pg-theirs"})
    ),
    a_reservation_of_aws_in_whatever_placement_group=lambda: placed(None, a_reservation()),
    launched_where_it_was_made=lambda: placed("pg-theirs", BY_YOU),
    launched_in_another=lambda: placed("pg-other", BY_YOU),
    launched_in_a_new_one=lambda: placed(OURS, BY_YOU),
    launched_in_a_new_one_and_nobody_knows_where_it_was_made=lambda: placed(OURS, BY_YOU, made_in=DROP),
    a_foreign_group_in_none=lambda: placed(None),
    # The program may have made the reservation in it: only the id would tell.
    a_foreign_group_in_one_of_its_program=lambda: placed(OURS),
    a_foreign_group_in_one_not_yet_known=lambda: placed(UNKNOWN),
    a_placement_group_without_reservation=lambda: a_fleet(a_template(placement_group=OURS), facts=facts()),
)
