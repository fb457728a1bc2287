"""A GB200 on Red Hat."""

from typing import Any

from tests.policies.programs.pcluster import cluster, head, queue, resource

AT = {"pcluster"}


def _nodes() -> dict[str, Any]:
    return resource(InstanceType="p6e-gb200.36xlarge")


def passing() -> None:
    cluster(queue(_nodes()), Image={"Os": "alinux2023"}, HeadNode=head(InstanceType="c7g.4xlarge"))


def failing() -> None:
    cluster(queue(_nodes()), Image={"Os": "rhel9"}, HeadNode=head(InstanceType="c7g.4xlarge"))
