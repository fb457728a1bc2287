"""More volumes than ParallelCluster takes."""

from tests.policies.programs.pcluster import cluster, volume

AT = {"pcluster"}


def passing() -> None:
    cluster(SharedStorage=[volume(f"vol-{index}", Size=100) for index in range(5)])


def failing() -> None:
    cluster(SharedStorage=[volume(f"vol-{index}", Size=100) for index in range(6)])
