"""No version, which makes it 2.10."""

from tests.policies.programs.world import SCRATCH, a_world, file_system

AT = {"scratch"}


def passing() -> None:
    file_system(a_world(), **SCRATCH)


def failing() -> None:
    file_system(a_world(), **{**SCRATCH, "file_system_type_version": None})
