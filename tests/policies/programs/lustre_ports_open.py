"""Port 988 alone, as in most templates."""

from tests.policies.programs.world import a_template, a_world, file_system, lustre_group, workers

AT = {"scratch"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world)


def failing() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world, lustre_group(world, ports=[(988, 988)]))
