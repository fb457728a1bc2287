"""Reservations that the program makes itself."""

from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group
from tests.policies.capacity import made, on_made
from tests.policies.case import cases

cases(
    a_reservation_of_its_own_for_something_else=lambda: on_made(
        a_group(nodes_max=5), instance="p5e.48xlarge", zone="us-west-2b", count=4
    ),
)


def later(starts: object = "2026-12-21T00:00:00Z", instance: str = "m5.8xlarge", **more: object) -> Fleet:
    return a_fleet(made(instance=instance, starts=starts, **more))
