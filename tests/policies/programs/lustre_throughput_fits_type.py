"""A throughput on scratch."""

from tests.policies.programs.world import SCRATCH, a_world, file_system

AT = {"scratch"}


def passing() -> None:
    file_system(a_world(), **SCRATCH)


def failing() -> None:
    file_system(a_world(), **{**SCRATCH, "per_unit_storage_throughput": 200})
