"""Reservations that the program makes itself."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group
from tests.policies.capacity import made, on_made
from tests.policies.case import cases

cases(
    a_reservation_of_its_own=lambda: on_made(),
    a_reservation_of_its_own_for_something_else=lambda: on_made(
        a_group(nodes_max=5), instance="p5e.48xlarge", zone="us-west-2b", count=4
    ),
    a_reservation_of_its_own_of_which_nothing_is_known=lambda: on_made(
        instance=UNKNOWN, zone=UNKNOWN, count=UNKNOWN, placement_group=UNKNOWN
    ),
    a_reservation_of_its_own_for_windows=lambda: on_made(platform="Windows", tenancy="dedicated"),
    a_reservation_of_nothing=lambda: a_fleet(made(count=0)),
    a_reservation_of_a_thousand=lambda: a_fleet(made(count=1000)),
    a_reservation_of_more_than_a_thousand=lambda: a_fleet(made(count=1001)),
    p5_reserved_for_later=lambda: a_fleet(made(starts="2026-12-21T00:00:00Z")),
    trn1_reserved_for_later=lambda: a_fleet(made(instance="trn1.32xlarge", starts="2026-12-21T00:00:00Z")),
)


def later(starts: object = "2026-12-21T00:00:00Z", instance: str = "m5.8xlarge", **more: object) -> Fleet:
    return a_fleet(made(instance=instance, starts=starts, **more))


cases(
    m5_reserved_for_later=lambda: later(),
    g5_reserved_for_later=lambda: later(instance="g5.48xlarge"),
    an_uncatalogued_type_reserved_for_later=lambda: later(instance="r9i.large"),
    reserved_four_days_ahead=lambda: later("2026-11-25T23:00:00Z"),
    reserved_five_days_ahead=lambda: later("2026-11-26T00:00:00Z"),
    reserved_121_days_ahead=lambda: later("2027-03-22T00:00:00Z"),
    reserved_for_later_in_a_placement_group=lambda: later(
        placement_group="arn:aws:ec2:us-west-2:000000000000:placement-group/together"
    ),
    too_little_reserved_for_later=lambda: later(instance="c5.2xlarge", count=3),
    just_enough_reserved_for_later=lambda: later(instance="c5.2xlarge", count=4),
    reserved_for_a_day_not_yet_known=lambda: later(UNKNOWN),
)
