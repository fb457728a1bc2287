"""A queue's name that is too long."""

from tests.policies.programs.pcluster import cluster, queue

AT = {"pcluster"}


def passing() -> None:
    cluster(queue(name="a" * 25))


def failing() -> None:
    cluster(queue(name="a" * 26))
