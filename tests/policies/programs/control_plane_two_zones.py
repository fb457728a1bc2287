"""A network in the reservation's zone only."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(zones=("us-west-2a",))
    workers(world, a_template(world))
