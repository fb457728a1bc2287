"""Zones of reservations and of their groups."""

from tests.factories import B, a_fleet, a_group, a_reservation, a_subnet, reservation_facts
from tests.policies.capacity import reserved
from tests.policies.case import cases

cases(
    the_observed_zone_is_another=lambda: a_fleet(*reserved(), facts=reservation_facts(zone="us-west-2b")),
    the_declared_zone_is_another=lambda: a_fleet(*reserved(a_reservation(zone="us-west-2b"))),
    subnets_in_the_reservations_zone_and_another=lambda: a_fleet(
        *reserved(subnets=(B, a_subnet().id)), facts=reservation_facts()
    ),
    the_declared_zone_is_wrong_and_the_group_is_right=lambda: a_fleet(
        *reserved(a_reservation(zone="us-west-2b")), facts=reservation_facts()
    ),
    a_reservation_and_a_subnet_nobody_knows=lambda: a_fleet(
        *reserved(subnets=("subnet-0eeeeeeeeeeeeeeee",)), facts=reservation_facts()
    ),
    a_reservation_in_a_zone_without_subnet=lambda: a_fleet(
        *reserved(subnets=(), zone="us-west-2c"), facts=reservation_facts()
    ),
    a_zone_of_another_region=lambda: a_fleet(a_group(subnets=(), zone="us-east-1a")),
    no_subnet_of_that_kind=lambda: a_fleet(a_group(subnets=())),
)
