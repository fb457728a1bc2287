"""A file system where the nodes' disks are."""

from tests.policies.programs.pcluster import cluster, mounted

AT = {"pcluster"}


def passing() -> None:
    cluster(SharedStorage=[mounted()])


def failing() -> None:
    cluster(SharedStorage=[mounted(MountDir="/local_scratch")])
