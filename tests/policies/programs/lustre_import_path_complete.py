"""An export path, and nothing that is imported."""

from tests.policies.programs.world import SCRATCH, a_world, file_system

AT = {"scratch"}


def passing() -> None:
    file_system(a_world(), **SCRATCH, import_path="s3://data", export_path="s3://data/out")


def failing() -> None:
    file_system(a_world(), **SCRATCH, export_path="s3://data/out")
