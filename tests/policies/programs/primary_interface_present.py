"""A template that lists the EFA interfaces only."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world()
    workers(world, a_template(world, network_interfaces=interfaces(world, efa_group(world))[1:]))
