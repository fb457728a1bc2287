"""efa-only interfaces with a CNI that takes them for its own."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"vpc-cni"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(cni="v1.18.3-eksbuild.2")
    workers(world, a_template(world))
