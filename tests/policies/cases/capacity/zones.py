"""Zones of reservations and of their groups."""

from muster.fleet.resources import Fleet
from tests.factories import B, a_fleet, a_group, a_reservation, a_subnet, reservation_facts
from tests.policies.capacity import NO_QUOTA, NOBODY_SAYS, RESERVATION, TYPE, WORKERS, ZONE, reserved
from tests.policies.case import case


@case(f"{ZONE} @ {RESERVATION}.zone")
def the_observed_zone_is_another() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(zone="us-west-2b"))


@case(f"{ZONE} @ {RESERVATION}.zone", unjudged=(f"{TYPE} @ {WORKERS}", NOBODY_SAYS, NO_QUOTA))
def the_declared_zone_is_another() -> Fleet:
    return a_fleet(*reserved(a_reservation(zone="us-west-2b")))


@case(f"{ZONE} @ {RESERVATION}.zone")
def subnets_in_the_reservations_zone_and_another() -> Fleet:
    return a_fleet(*reserved(subnets=(B, a_subnet().id)), facts=reservation_facts())


@case(f"reservation-as-declared @ {RESERVATION}.zone")
def the_declared_zone_is_wrong_and_the_group_is_right() -> Fleet:
    return a_fleet(*reserved(a_reservation(zone="us-west-2b")), facts=reservation_facts())


@case(
    unjudged=(
        f"{ZONE} @ {WORKERS}",
        f"several-interfaces-private-subnets @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def a_reservation_and_a_subnet_nobody_knows() -> Fleet:
    return a_fleet(*reserved(subnets=("subnet-0eeeeeeeeeeeeeeee",)), facts=reservation_facts())


@case(f"group-has-subnet @ {WORKERS}.zone")
def a_reservation_in_a_zone_without_subnet() -> Fleet:
    return a_fleet(*reserved(subnets=(), zone="us-west-2c"), facts=reservation_facts())


@case(f"group-has-subnet @ {WORKERS}.zone")
def a_zone_of_another_region() -> Fleet:
    return a_fleet(a_group(subnets=(), zone="us-east-1a"))


@case(f"group-has-subnet @ {WORKERS}.subnets")
def no_subnet_of_that_kind() -> Fleet:
    return a_fleet(a_group(subnets=()))
