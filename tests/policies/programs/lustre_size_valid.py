"""3000 GiB."""

from tests.policies.programs.world import a_world, file_system

AT = {"scratch"}


def passing() -> None:
    file_system(a_world(), storage_capacity=2400)


def failing() -> None:
    file_system(a_world(), storage_capacity=3000)
