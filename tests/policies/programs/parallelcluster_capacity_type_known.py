"""A queue that says on-demand in EC2's words."""

from tests.policies.programs.pcluster import cluster, queue

AT = {"pcluster"}


def passing() -> None:
    cluster(queue(CapacityType="ONDEMAND"))


def failing() -> None:
    cluster(queue(CapacityType="on-demand"))
