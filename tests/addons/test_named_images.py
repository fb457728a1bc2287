"""Every image that is named is found, and nothing else is taken for one."""

from typing import Any

import pytest

from muster.addons.image_names import named_images

DIGEST = "sha256:" + "0123456789abcdef" * 4


def pod(**container: Any) -> dict[str, Any]:
    return {"kind": "Pod", "spec": {"containers": [container], "initContainers": [{"image": "alpine:3.20"}]}}


@pytest.mark.parametrize(
    ("thing", "images"),
    [
        (pod(image="nvcr.io/nvidia/k8s-device-plugin:v0.20.0"), {"nvcr.io/nvidia/k8s-device-plugin:v0.20.0"}),
        (pod(image="nginx"), {"nginx"}),
        (pod(image="mpioperator/mpi-operator:0.8.2"), {"mpioperator/mpi-operator:0.8.2"}),
        (pod(image=f"registry.k8s.io/kueue/kueue:v0.19.2@{DIGEST}"), {f"registry.k8s.io/kueue/kueue:v0.19.2@{DIGEST}"}),
        (pod(image="localhost:5000/a/b:c"), {"localhost:5000/a/b:c"}),
        (pod(image="{{ .Values.image }}"), set()),
        (pod(image=""), set()),
        (pod(image=None), set()),
        (pod(args=["--pytorch-init-container-image=alpine:3.10", "--v=2"]), {"alpine:3.10"}),
        (pod(args=["--tool=quay.io/a/b:v1", "--leader-elect"]), {"quay.io/a/b:v1"}),
        (pod(env=[{"name": "RELATED_IMAGE", "value": "busybox:1"}]), {"busybox:1"}),
        (pod(env=[{"name": "IMAGE_TAG", "value": ""}, {"name": "IMAGINE", "value": "busybox:1"}]), set()),
        (pod(env=[{"name": "HELPER", "value": f"ghcr.io/a/b@{DIGEST}"}]), {f"ghcr.io/a/b@{DIGEST}"}),
        (pod(command=["wget", "https://example.org/a/b:8080", "/var/lib/a.b/c:d"]), set()),
        (pod(args=["--endpoint=unix:///csi/csi.sock", "a.b.c/d", "time.is:12"]), set()),
    ],
)
def test_images_of_a_pod(thing: dict[str, Any], images: set[str]) -> None:
    """Of its containers, and what its program is told."""
    assert set(named_images([thing])) == images | {"alpine:3.20"}


def test_images_in_other_objects() -> None:
    """A custom resource has pods in it; a ConfigMap has text."""
    runtime = {"kind": "ClusterTrainingRuntime", "spec": {"template": [{"spec": pod(image="pytorch/pytorch:2.9")}]}}
    configured = {"kind": "ConfigMap", "data": {"pod.yaml": "containers:\n- image: public.ecr.aws/a/b:1.2\n"}}
    assert named_images([runtime, configured]) == ("alpine:3.20", "public.ecr.aws/a/b:1.2", "pytorch/pytorch:2.9")


def test_a_schema_names_examples() -> None:
    """What a CRD describes, nobody runs."""
    described = {"description": "such as registry.k8s.io/pause:3.10"}
    crd = {"kind": "CustomResourceDefinition", "spec": {"versions": [{"schema": described}]}}
    assert named_images([crd]) == ()
