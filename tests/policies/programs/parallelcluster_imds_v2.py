"""Nodes that answer IMDSv1."""

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster(Imds={"ImdsSupport": "v2.0"})


def failing() -> None:
    cluster(Imds={"ImdsSupport": "v1.0"})
