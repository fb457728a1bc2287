"""Reservations that the program makes itself."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, a_group
from tests.policies.capacity import ALL_THREE, COVERS, LEGAL, RESERVATION, TYPE, USABLE, WORKERS, ZONE, made, on_made
from tests.policies.case import case


@case()
def a_reservation_of_its_own() -> Fleet:
    return on_made()


@case(f"{ZONE} @ {RESERVATION}.zone", f"{TYPE} @ {WORKERS}.instance", f"{COVERS} @ {RESERVATION}.count")
def a_reservation_of_its_own_for_something_else() -> Fleet:
    group = a_group(nodes_max=5)
    return on_made(group, instance="p5e.48xlarge", zone="us-west-2b", count=4)


@case(unjudged=(*ALL_THREE, LEGAL))
def a_reservation_of_its_own_of_which_nothing_is_known() -> Fleet:
    return on_made(instance=UNKNOWN, zone=UNKNOWN, count=UNKNOWN, placement_group=UNKNOWN)


@case(f"{USABLE} @ {RESERVATION}.id")
def a_reservation_of_its_own_for_windows() -> Fleet:
    return on_made(platform="Windows", tenancy="dedicated")


@case(LEGAL)
def a_reservation_of_nothing() -> Fleet:
    return a_fleet(made(count=0))


@case()
def a_reservation_of_a_thousand() -> Fleet:
    return a_fleet(made(count=1000))


@case(LEGAL)
def a_reservation_of_more_than_a_thousand() -> Fleet:
    return a_fleet(made(count=1001))


@case(LEGAL)
def p5_reserved_for_later() -> Fleet:
    return a_fleet(made(starts="2026-12-21T00:00:00Z"))


@case(LEGAL)
def trn1_reserved_for_later() -> Fleet:
    return a_fleet(made(instance="trn1.32xlarge", starts="2026-12-21T00:00:00Z"))


def later(starts: object = "2026-12-21T00:00:00Z", instance: str = "m5.8xlarge", **more: object) -> Fleet:
    return a_fleet(made(instance=instance, starts=starts, **more))


@case()
def m5_reserved_for_later() -> Fleet:
    return later()


@case()
def g5_reserved_for_later() -> Fleet:
    return later(instance="g5.48xlarge")


@case()
def an_uncatalogued_type_reserved_for_later() -> Fleet:
    return later(instance="r9i.large")


@case(LEGAL)
def reserved_four_days_ahead() -> Fleet:
    return later("2026-11-25T23:00:00Z")


@case()
def reserved_five_days_ahead() -> Fleet:
    return later("2026-11-26T00:00:00Z")


@case(LEGAL)
def reserved_121_days_ahead() -> Fleet:
    return later("2027-03-22T00:00:00Z")


@case(LEGAL)
def reserved_for_later_in_a_placement_group() -> Fleet:
    return later(placement_group="arn:aws:ec2:us-west-2:000000000000:placement-group/together")


@case(LEGAL)
def too_little_reserved_for_later() -> Fleet:
    return later(instance="c5.2xlarge", count=3)


@case()
def just_enough_reserved_for_later() -> Fleet:
    return later(instance="c5.2xlarge", count=4)


@case(unjudged=(LEGAL,))
def reserved_for_a_day_not_yet_known() -> Fleet:
    return later(UNKNOWN)
