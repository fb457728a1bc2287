"""A cluster with Kubernetes, and add-ons for the cluster of another stack."""

from typing import Annotated

from pydantic import AfterValidator

from muster.config.description.addons import Addons, ChartRepository, ImageRegistry
from muster.config.description.base import Change, StrictModel, key, optional
from muster.config.description.cluster import CHART_MIRROR, IMAGE_MIRROR, SUPPRESS, Cluster
from muster.config.description.iam import AddonsIam
from muster.config.description.suppression import Suppression
from muster.config.identifiers import FullStackName

CONTROL_PLANE_KEYS = ("name", "api", "logs", "secrets-key", "secrets-key-on-destroy")
"""Keys that an existing cluster already sets itself."""


class KubernetesCluster(Cluster):
    """A cluster on an EKS control plane, with nodes on EKS or HyperPod."""


def _some(addons: Addons) -> Addons:
    if not addons.chosen and not addons.charts:
        raise ValueError("there is no add-on here; add one, as in mpi-operator: {}")
    return addons


class AddonsOf(StrictModel):
    """Add-ons for the cluster of another stack: `muster:cluster` with `addons-of`.

    The cluster is described in its own stack. This stack reads the outputs of that one.
    """

    addons_of: FullStackName = key(
        "Stack of the cluster: organization/project/stack, as `pulumi stack ls --all` prints it.", Change.REPLACES
    )
    addons: Annotated[Addons, AfterValidator(_some)] = key(
        "Kubernetes add-ons by name. Default: none.", Change.IN_PLACE
    )
    iam: AddonsIam = key(
        "Permissions boundary and path of the roles that Muster creates, and existing roles instead. Default: roles "
        "that Muster creates.",
        Change.IN_PLACE,
        default=AddonsIam.model_construct(),
    )
    chart_mirror: ChartRepository | None = optional(CHART_MIRROR, Change.IN_PLACE)
    image_mirror: ImageRegistry | None = optional(IMAGE_MIRROR, Change.IN_PLACE)
    suppress: tuple[Suppression, ...] = key(SUPPRESS, Change.NOTHING, default=())
