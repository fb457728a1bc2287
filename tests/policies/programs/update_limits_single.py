"""A number and a percentage of nodes that an update takes out."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world), update_config={"max_unavailable": 1})


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), update_config={"max_unavailable": 1, "max_unavailable_percentage": 33})
