"""A link inside another."""

from tests.policies.programs.world import a_world, file_system, link

AT = {"scratch"}


def passing() -> None:
    system = file_system(a_world())
    link(system, "/data/", "s3://data/a")
    link(system, "/data-new", "s3://data/b")


def failing() -> None:
    system = file_system(a_world())
    link(system, "/data/", "s3://data/a")
    link(system, "/data/new", "s3://data/b")
