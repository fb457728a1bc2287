"""Pods with defaults, so that a case shows only what matters."""

from typing import Any

from muster.fleet.resources import Place, PodOwner, PodTemplate, Ref

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
