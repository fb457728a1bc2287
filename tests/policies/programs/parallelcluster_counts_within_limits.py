"""More queues than ParallelCluster takes."""

from tests.policies.programs.pcluster import cluster, plain, queue

AT = {"pcluster"}


def passing() -> None:
    cluster(*(queue(plain(), name=f"queue-{index}") for index in range(50)))


def failing() -> None:
    cluster(*(queue(plain(), name=f"queue-{index}") for index in range(51)))
