"""A cluster without a key of the account's."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(encrypted=False)
    workers(world, a_template(world))
