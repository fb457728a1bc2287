"""A V100 on ParallelCluster's own image."""

from tests.policies.programs.pcluster import IMAGE, cluster, image, queue, resource

AT = {"pcluster"}
FACTS = image()


def passing() -> None:
    cluster(queue(resource(InstanceType="p3dn.24xlarge")), Image={"Os": "alinux2023", "CustomAmi": IMAGE})


def failing() -> None:
    cluster(queue(resource(InstanceType="p3dn.24xlarge")))
