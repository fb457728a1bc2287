"""Reservations that fit, and that cannot be used."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import DROP, a_fleet, a_template, on, reservation_facts
from tests.policies.capacity import reserved
from tests.policies.case import cases

cases(
    a_reservation_that_fits=lambda: a_fleet(*reserved(), facts=reservation_facts()),
    a_foreign_group_on_a_reservation_that_fits=lambda: a_fleet(a_template(**on()), facts=reservation_facts()),
    a_foreign_group_on_a_reservation_nobody_knows=lambda: a_fleet(a_template(**on())),
    a_reservation_not_yet_known=lambda: a_fleet(a_template(**on(UNKNOWN))),
)


# usable


def _said(**facts_of_it: object) -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(**facts_of_it))


cases(
    an_expired_reservation=lambda: _said(state="expired"),
    # That it holds too few nobody can say.
    a_reservation_to_come_of_which_ec2_counts_no_instances_yet=lambda: _said(state="scheduled", totalInstances=0),
    a_reservation_that_has_ended=lambda: _said(end="2026-11-20T23:59:59Z"),
    a_reservation_that_ends_today=lambda: _said(end="2026-11-21T23:59:59Z"),
    a_reservation_for_windows=lambda: _said(platform="Windows"),
    a_dedicated_reservation=lambda: _said(tenancy="dedicated"),
    a_capacity_block_under_the_wrong_key=lambda: _said(reservationType="capacity-block"),
    everything_wrong_is_one_finding=lambda: _said(state="cancelled", platform="Windows", tenancy="dedicated"),
    a_reservation_whose_state_nobody_says=lambda: _said(state=DROP),
)
