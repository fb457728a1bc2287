"""FSx in another zone than the workers."""

from tests.policies.programs.world import a_template, a_world, file_system, workers

AT = {"scratch"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world)


def failing() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world, subnet_ids=world.subnets[1].id)
