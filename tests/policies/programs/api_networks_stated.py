"""A cluster that leaves to EKS who reaches its API."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(api=None)
    workers(world, a_template(world))
