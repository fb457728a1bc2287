"""A version whose extended support has ended."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(version="1.29")
    workers(world, a_template(world))
