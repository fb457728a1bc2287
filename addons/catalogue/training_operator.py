"""The Kubeflow training operator, v1: Muster's overlay over its manifests. See `training_operator.toml`."""

import re

from muster.addon_sheets import ADDONS
from muster.addons.addon import Json, Kustomization, system_taints_tolerated, tolerations_added
from muster.addons.context import AddonContext
from muster.addons.manifest_patches import POD, added, deleted
from muster.addons.sheet import addon
from muster.versions import TRAINING_OPERATOR_IMAGES
from muster.whole_number import whole_number

_NAME = "training-operator"

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


def _patches(values: Json) -> tuple[Json, ...]:
    arguments = [f"--enable-scheme={each}" for each in values["schemes"]]
    if image := values.get("initContainer"):
        arguments.append(f"--pytorch-init-container-image={image}")
    return (
        deleted("CustomResourceDefinition", "mpijobs.kubeflow.org", "apiextensions.k8s.io/v1"),
        added("Deployment", _NAME, {f"{POD}/containers/0/args": arguments}),
        *tolerations_added(values),
    )


ADDON = addon(
    _NAME,
    source=Kustomization(
        "https://github.com/kubeflow/trainer//manifests/overlays/standalone?ref={version}",
        lambda version: {_NAME: image} if (image := TRAINING_OPERATOR_IMAGES.get(version)) else {},
        _values,
        _patches,
    ),
)
