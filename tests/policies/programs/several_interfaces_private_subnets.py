"""Five interfaces in a subnet that gives public addresses."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(map_public_ip_on_launch=True)
    workers(world, a_template(world))
