"""A file system that is deleted with the cluster."""

from tests.policies.programs.pcluster import cluster, made

AT = {"pcluster"}


def passing() -> None:
    cluster(SharedStorage=[made()])


def failing() -> None:
    cluster(SharedStorage=[made(DeletionPolicy="Delete")])
