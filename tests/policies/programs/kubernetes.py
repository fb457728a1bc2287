"""What programs put on a cluster: pods of several kinds, charts. As `world` is for AWS."""

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi_kubernetes as kubernetes

from tests.policies.programs.world import World, a_template, workers

Values = Mapping[str, Any]

GPU, EFA = "nvidia.com/gpu", "vpc.amazonaws.com/efa"


def gpu_workers(world: World, **template: Any) -> None:
    """Nodes of p4d.24xlarge: 8 GPUs and 4 EFA interfaces each."""
    workers(world, a_template(world, **template), ami_type="AL2023_x86_64_NVIDIA")


def a_spec(limits: Values, *, requests: Values | None = None, image: str = "train", **more: Any) -> dict[str, Any]:
    """A pod's spec with one container."""
    resources = {"limits": {"memory": "1Gi", **limits}, **({"requests": dict(requests)} if requests else {})}
    return {"containers": [{"name": "train", "image": image, "resources": resources}], **more}


def a_deployment(spec: Values) -> None:
    """A Deployment of one pod."""
    labels = {"app": "train"}
    kubernetes.apps.v1.Deployment(
        "train",
        spec={"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": spec}},
    )


def a_batch_job(spec: Values) -> None:
    """A Job of Kubernetes' own."""
    kubernetes.batch.v1.Job("train", spec={"template": {"spec": {"restartPolicy": "Never", **spec}}})


def a_pytorch_job(spec: Values) -> None:
    """A PyTorchJob of two workers."""
    worker = {"replicas": 2, "restartPolicy": "OnFailure", "template": {"spec": spec}}
    kubernetes.apiextensions.CustomResource(
        "train",
        api_version="kubeflow.org/v1",
        kind="PyTorchJob",
        spec={"pytorchReplicaSpecs": {"Worker": worker}},
    )


def a_release(name: str, chart: str, version: str, values: Values | None = None, **more: Any) -> None:
    """A Helm release."""
    kubernetes.helm.v3.Release(name, chart=chart, version=version, values=dict(values or {}), **more)


def releases(*charts: Sequence[Any]) -> None:
    """Helm releases, each of chart, version and perhaps values, named by their charts."""
    for chart, version, *values in charts:
        a_release(chart.rpartition("/")[2], chart, version, *values)


_OFF = {"devicePlugin": {"enabled": False}}
HYPERPOD: Values = {
    "nvidia-device-plugin": _OFF,
    "aws-efa-k8s-device-plugin": _OFF,
    "neuron-device-plugin": _OFF,
}
"""Values of HyperPod's chart without its device plugins."""
