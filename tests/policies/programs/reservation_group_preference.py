"""A resource group as target, and nothing that keeps nodes from launching on demand."""

from tests.policies.programs.world import CR_ARN, a_world, on_group, reservation_facts, reservation_group, workers

AT = {"workers"}
FACTS = reservation_facts()


def passing() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN).arn))


def failing() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN).arn, preference=None))
