"""A setting that ParallelCluster makes itself."""

from tests.policies.programs.pcluster import cluster, slurm

AT = {"pcluster"}


def passing() -> None:
    cluster(scheduling=slurm(CustomSlurmSettings=[{"MaxJobCount": 20000}]))


def failing() -> None:
    cluster(scheduling=slurm(CustomSlurmSettings=[{"SuspendTime": 600}]))
