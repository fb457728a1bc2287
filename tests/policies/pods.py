"""Pods with defaults, so that a case shows only what matters."""

from typing import Any

from muster.fleet.resources import Fleet, Place, PodOwner, PodTemplate, Ref
from tests.factories import a_fleet, a_template

NCCL = "public.ecr.aws/hpc-cloud/nccl-tests"
PODS = "urn:pulumi:dev::theirs::kubernetes:kubeflow.org/v1:PyTorchJob::job"


def asking(limits: Any, requests: Any = None, **more: Any) -> dict[str, Any]:
    """A container with resources."""
    resources = {
        "limits": {"memory": "1Gi", **limits} if isinstance(limits, dict) else limits,
        **({"requests": requests} if requests is not None else {}),
    }
    return {"name": "train", "image": "train", "resources": resources, **more}


def a_pod(*containers: Any, kind: str = "PyTorchJob", pods: Any = 2, **spec: Any) -> PodOwner:
    """An object of one kind of pod."""
    template = PodTemplate("spec.template.spec", {"containers": list(containers), **spec}, pods)
    return PodOwner(Ref(f"kubernetes:kubeflow.org/v1:{kind}", "job"), kind, (template,), Place(PODS))


def running(image: Any, instance: str = "p5.48xlarge") -> Fleet:
    """A pod of an image, with all GPUs of its node."""
    container = asking({"nvidia.com/gpu": 8}, image=image)
    return a_fleet(a_template(instance=instance), a_pod(container, kind="Pod"))
