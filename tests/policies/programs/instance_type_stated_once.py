"""The type in the group and in its template."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world, instance_type=None), instance_types=["p4d.24xlarge"])


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), instance_types=["p4d.24xlarge"])
