"""Zones of reservations and of their groups."""

from tests.factories import a_fleet, reservation_facts
from tests.policies.capacity import reserved
from tests.policies.case import cases

cases(
    a_reservation_in_a_zone_without_subnet=lambda: a_fleet(
        *reserved(subnets=(), zone="us-west-2c"), facts=reservation_facts()
    ),
)
