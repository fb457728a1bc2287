"""More IOPS than a volume of its size has."""

from tests.policies.programs.pcluster import cluster, volume

AT = {"pcluster"}


def passing() -> None:
    cluster(SharedStorage=[volume(VolumeType="gp3", Size=100, Iops=6000)])


def failing() -> None:
    cluster(SharedStorage=[volume(VolumeType="gp3", Size=10, Iops=6000)])
