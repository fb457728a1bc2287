"""Reservations that fit, and that cannot be used."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, a_fleet, a_template, on, reservation_facts
from tests.policies.capacity import ALL_THREE, NOBODY_SAYS, RESERVATION, USABLE, reserved
from tests.policies.case import case


@case()
def a_reservation_that_fits() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts())


@case()
def a_foreign_group_on_a_reservation_that_fits() -> Fleet:
    return a_fleet(a_template(**on()), facts=reservation_facts())


@case(unjudged=(*ALL_THREE, NOBODY_SAYS))
def a_foreign_group_on_a_reservation_nobody_knows() -> Fleet:
    return a_fleet(a_template(**on()))


@case(unjudged=ALL_THREE)
def a_reservation_not_yet_known() -> Fleet:
    return a_fleet(a_template(**on(UNKNOWN)))


# usable


def _said(**facts_of_it: object) -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(**facts_of_it))


@case(f"{USABLE} @ {RESERVATION}.id")
def an_expired_reservation() -> Fleet:
    return _said(state="expired")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_reservation_to_come_of_which_ec2_counts_no_instances_yet() -> Fleet:
    """That it holds too few nobody can say."""
    return _said(state="scheduled", totalInstances=0)


@case(f"{USABLE} @ {RESERVATION}.id")
def a_reservation_that_has_ended() -> Fleet:
    return _said(end="2026-11-20T23:59:59Z")


@case()
def a_reservation_that_ends_today() -> Fleet:
    return _said(end="2026-11-21T23:59:59Z")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_reservation_for_windows() -> Fleet:
    return _said(platform="Windows")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_dedicated_reservation() -> Fleet:
    return _said(tenancy="dedicated")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_capacity_block_under_the_wrong_key() -> Fleet:
    return _said(reservationType="capacity-block")


@case(f"{USABLE} @ {RESERVATION}.id")
def everything_wrong_is_one_finding() -> Fleet:
    return _said(state="cancelled", platform="Windows", tenancy="dedicated")


@case(unjudged=(NOBODY_SAYS,))
def a_reservation_whose_state_nobody_says() -> Fleet:
    return _said(state=DROP)
