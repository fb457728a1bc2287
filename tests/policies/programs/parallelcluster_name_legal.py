"""A name that is too long beside accounting."""

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster(name="a" * 60)


def failing() -> None:
    cluster(name="a" * 61)
