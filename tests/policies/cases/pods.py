"""Pods of any program: devices, huge pages, host paths, images."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_template
from tests.policies.pods import a_pod, asking

GPU, EFA, NEURON, PAGES = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron", "hugepages-2Mi"
NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"


def running(image: Any, instance: str = "p5.48xlarge") -> Fleet:
    container = asking({GPU: 8}, image=image)
    return a_fleet(a_template(instance=instance), a_pod(container, kind="Pod"))
