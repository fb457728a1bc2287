"""The provider of an older version."""

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster()


def failing() -> None:
    cluster(version="3.14.0")
