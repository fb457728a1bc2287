"""Workers on the nodes of a HyperPod cluster that the EKS cluster runs.

After "Introducing Amazon EKS support in Amazon SageMaker HyperPod" (AWS blog): a job with these annotations is started
again on healthy nodes, and the label says which are. The nodes carry their type with `ml.` before it, no label of
Muster's, and none of its taints. How many huge pages they set aside is written nowhere: a worker asks for none there
unless somebody says how many.
"""

from typing import Any

from muster.fleet.blueprint import Group
from muster.fleet.labels import INSTANCE_TYPE
from muster.jobs.fit import DoesNotFit

MAX_RETRIES = 2
"""The blog's."""

AUTO_RESUME = {
    "sagemaker.amazonaws.com/enable-job-auto-resume": "true",
    "sagemaker.amazonaws.com/job-max-retry-count": str(MAX_RETRIES),
}
"""Annotations of a job that HyperPod is to resume. It watches jobs of the Kubeflow training operator."""

HEALTHY = {"sagemaker.amazonaws.com/node-health-status": "Schedulable"}
"""The label of nodes that passed their health checks."""


def instance_type(group: Group) -> str:
    """``ml.p5.48xlarge``: HyperPod's name of the group's type."""
    return f"ml.{group.node.hardware.instance}"


def check(group: Group) -> None:
    """Refuses types that HyperPod does not have.

    Raises:
        DoesNotFit: this one.
    """
    if not group.node.hardware.hyperpod:
        raise DoesNotFit(
            f"HyperPod has no {instance_type(group)}; choose a group of another type, or leave out --hyperpod"
        )


def placement(group: Group) -> dict[str, Any]:
    """Where a worker goes: healthy nodes of the group's type."""
    return {"nodeSelector": {INSTANCE_TYPE: instance_type(group), **HEALTHY}}
