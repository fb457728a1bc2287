"""A file system that is mounted over /opt."""

from tests.policies.programs.pcluster import cluster, mounted

AT = {"pcluster"}


def passing() -> None:
    cluster(SharedStorage=[mounted()])


def failing() -> None:
    cluster(SharedStorage=[mounted(MountDir="/opt")])
