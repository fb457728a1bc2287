"""A file system with EFA, and a group that lets TCP pass only."""

from tests.policies.programs.world import a_world, efa_group, file_system, lustre_group

AT = {"scratch"}

LARGE = {"efa_enabled": True, "storage_capacity": 19200}


def passing() -> None:
    world = a_world()
    file_system(world, efa_group(world, "fsx"), **LARGE)


def failing() -> None:
    world = a_world()
    file_system(world, lustre_group(world), **LARGE)
