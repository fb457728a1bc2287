"""One p4d.24xlarge, which takes 100 addresses, in a /26."""

from tests.policies.programs.world import a_template, a_world, small_subnet, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), subnet_ids=[small_subnet(world, "10.0.128.0/26").id])
