"""A strategy of spot in a queue of on-demand instances."""

from tests.policies.programs.pcluster import cluster, plain, queue

AT = {"pcluster"}
SEVERAL = {"InstanceType": None, "Instances": [{"InstanceType": "c5.2xlarge"}, {"InstanceType": "m5.2xlarge"}]}


def passing() -> None:
    cluster(queue(plain(**SEVERAL), AllocationStrategy="prioritized"))


def failing() -> None:
    cluster(queue(plain(**SEVERAL), AllocationStrategy="capacity-optimized"))
