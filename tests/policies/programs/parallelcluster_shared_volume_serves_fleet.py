"""A volume of the head node for hundreds of nodes."""

from tests.policies.programs.pcluster import cluster, plain, queue, volume

AT = {"pcluster"}


def passing() -> None:
    cluster(queue(plain(MinCount=0, MaxCount=100)), SharedStorage=[volume()])


def failing() -> None:
    cluster(queue(plain(MinCount=0, MaxCount=400)), SharedStorage=[volume()])
