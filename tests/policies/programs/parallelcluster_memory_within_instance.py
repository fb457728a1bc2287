"""More memory for jobs than a node has."""

from tests.policies.programs.pcluster import cluster, queue, resource

AT = {"pcluster"}


def passing() -> None:
    cluster(queue(resource(SchedulableMemory=1100000)))


def failing() -> None:
    cluster(queue(resource(SchedulableMemory=2000000)))
