"""Reservations that the program makes itself."""

from tests.factories import a_group
from tests.policies.capacity import on_made
from tests.policies.case import cases

cases(
    a_reservation_of_its_own_for_something_else=lambda: on_made(
        a_group(nodes_max=5), instance="p5e.48xlarge", zone="us-west-2b", count=4
    ),
)
