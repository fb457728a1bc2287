"""A list of types with different numbers of GPUs."""

from tests.policies.programs.pcluster import cluster, queue, resource

AT = {"pcluster"}


def _cluster(*types: str) -> None:
    cluster(queue(resource(InstanceType=None, Instances=[{"InstanceType": each} for each in types])))


def passing() -> None:
    _cluster("p4d.24xlarge", "p4de.24xlarge")


def failing() -> None:
    _cluster("p4d.24xlarge", "p5.48xlarge")
