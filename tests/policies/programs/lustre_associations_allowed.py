"""Nine links to S3."""

from tests.policies.programs.world import a_world, file_system, link

AT = {"scratch"}


def passing() -> None:
    system = file_system(a_world())
    for number in range(8):
        link(system, f"/{number}", f"s3://data/{number}")


def failing() -> None:
    system = file_system(a_world())
    for number in range(9):
        link(system, f"/{number}", f"s3://data/{number}")
