"""A tag that is ParallelCluster's."""

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster(Tags=[{"Key": "team", "Value": "research"}])


def failing() -> None:
    cluster(Tags=[{"Key": "parallelcluster:cluster-name", "Value": "mine"}])
