"""A resource group with one of the two entries."""

from tests.policies.programs.world import (
    CR_ARN,
    POOL,
    a_world,
    on_group,
    reservation_facts,
    reservation_group,
    workers,
)

AT = {"reserved"}
FACTS = reservation_facts()


def passing() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN).arn))


def failing() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN, entries=[POOL]).arn))
