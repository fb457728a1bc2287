"""A subnet of another Region's zone, copied with its block."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(zones=("us-west-2a", "us-west-2b", "us-east-1c"))
    workers(world, a_template(world))
