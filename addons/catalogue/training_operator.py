"""The Kubeflow training operator, v1: runs PyTorchJob and the others of kubeflow.org/v1. It has no chart.

An overlay over `manifests/overlays/standalone` of kubeflow/trainer at the tag (the repository was training-operator;
its v1 releases go on there). Read at v1.9.4 (4445c12), and rendered by kustomize: 14 objects; with our patches 13.

- The CRD `mpijobs.kubeflow.org` is left out, always: it knows version v1 alone, the MPI operator's v2beta1 alone, and
  one cannot become the other (kubeflow/trainer#1930). Then the operator needs the schemes of the other five as
  arguments: without any `--enable-scheme` it starts them all, MPIJob's too (`cmd/training-operator.v1/main.go`).
- Its schemes changed with v1.9, which added JAXJob and removed MXJob (`pkg/controller.v1/register_controller.go` at
  v1.7.0, v1.8.0, v1.8.1, v1.9.0 to v1.9.4). It refuses to start with one that it does not know. HyperPod's auto-resume
  is stated for v1.7.0, v1.8.0 and v1.8.1, so whoever needs that chooses an older version.
- Its webhooks have failurePolicy Fail; it makes their certificate itself. Each of its CRDs is over 256 KiB: only
  server-side apply takes them, which is what the Kubernetes provider does.

The workload compared with `manifests/base/deployment.yaml` at v1.9.4: one replica, no priority class, no node selector,
affinity, tolerations or requests.
"""

import re
from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Json, Kustomization, system_taints_tolerated
from muster.addons.context import AddonContext
from muster.addons.manifest_patches import added, deleted
from muster.addons.workload import JobKind, Placement, Workload
from muster.versions import ADDONS, TRAINING_OPERATOR_IMAGES
from muster.whole_number import whole_number

_NAME = "training-operator"
_NAMESPACE = "kubeflow"  # its overlay's
_POD = "/spec/template/spec"

_SCHEMES = ("pytorchjob", "tfjob", "xgboostjob", "paddlejob")
_INIT_CONTAINER = "docker.io/library/alpine:3.10"
"""Where a worker of a PyTorchJob waits for its master (`pkg/config/config.go` at v1.7.0 to v1.9.4)."""

_JAX_SINCE = (1, 9)
"""The minor version that added JAXJob and removed MXJob."""


def _values(context: AddonContext) -> Json:
    version = context.chosen[_NAME].version or ADDONS[_NAME].version
    init = {"initContainer": context.mirrors.image(_INIT_CONTAINER)} if context.mirrors.images else {}
    return {**system_taints_tolerated(context), "schemes": schemes(version), **init}


def schemes(version: str) -> list[str]:
    """The kinds that a version runs, except MPIJob, as values of `--enable-scheme`."""
    # A single number is its first release; the repository refuses what is no release.
    numbers = [*(whole_number(part) or 0 for part in re.findall(r"[0-9]+", version)[:2]), 0]
    major, minor = numbers[:2]
    return [*_SCHEMES, "jaxjob" if (major, minor) >= _JAX_SINCE else "mxjob"]


def _patches(values: Mapping[str, Any]) -> tuple[Json, ...]:
    arguments = [f"--enable-scheme={each}" for each in values["schemes"]]
    if image := values.get("initContainer"):
        arguments.append(f"--pytorch-init-container-image={image}")
    changes: Json = {f"{_POD}/containers/0/args": arguments}
    if tolerations := values.get("tolerations"):
        changes[f"{_POD}/tolerations"] = tolerations
    return (
        deleted("CustomResourceDefinition", "mpijobs.kubeflow.org", "apiextensions.k8s.io/v1"),
        added("Deployment", _NAME, changes),
    )


def _workloads(values: Mapping[str, Any]) -> tuple[Workload, ...]:
    return (Workload("Deployment", _NAME, _NAMESPACE, Placement(values.get("tolerations", []))),)


ADDON = Addon(
    name=_NAME,
    namespace=_NAMESPACE,
    source=Kustomization(
        "https://github.com/kubeflow/trainer//manifests/overlays/standalone?ref={version}",
        _patches,
        images={version: {_NAME: image} for version, image in TRAINING_OPERATOR_IMAGES.items()},
        values=_values,
    ),
    reason="it runs PyTorchJobs and the other jobs of kubeflow.org/v1",
    workloads=_workloads,
    loses="every PyTorchJob, TFJob, XGBoostJob, PaddleJob and JAXJob",
    runs=tuple(
        JobKind("kubeflow.org/v1", kind) for kind in ("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob")
    ),
)
