"""A file system's name that is too long."""

from tests.policies.programs.pcluster import cluster, mounted

AT = {"pcluster"}


def passing() -> None:
    cluster(SharedStorage=[mounted(Name="a" * 30)])


def failing() -> None:
    cluster(SharedStorage=[mounted(Name="a" * 31)])
