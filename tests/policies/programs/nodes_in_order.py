"""Three nodes wanted of at most two."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), scaling_config={"min_size": 0, "desired_size": 3, "max_size": 2})
