"""A Graviton head node beside nodes with x86."""

from tests.policies.programs.pcluster import cluster, head

AT = {"pcluster"}


def passing() -> None:
    cluster(HeadNode=head(InstanceType="c6i.4xlarge"))


def failing() -> None:
    cluster(HeadNode=head(InstanceType="c7g.4xlarge"))
