"""A reservation of another Region in the group."""

from tests.policies.programs.world import CR_ARN, a_world, on_group, reservation_facts, reservation_group, workers

AT = {"reserved"}
FACTS = reservation_facts()


def passing() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN).arn))


def failing() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN.replace("us-west-2", "us-east-1")).arn))
