"""The other form of a description: add-ons alone, for the cluster of another stack."""

from typing import Annotated

from pydantic import AfterValidator

from muster.fleet.description.addons import Addons, ChartRepository, ImageRegistry
from muster.fleet.description.cluster import Suppression
from muster.fleet.description.identifiers import FullStackName
from muster.fleet.description.part import Change, Part, field


def _some(addons: Addons) -> Addons:
    if not addons.chosen and not addons.charts:
        raise ValueError("no add-on is named; name one, as in mpi-operator: {}")
    return addons


class AddonsOf(Part):
    """Add-ons for the cluster of another stack: `muster:cluster` with `addons-of`.

    The cluster is described in its own stack, and known here by what that one exports.
    """

    addons_of: FullStackName = field(
        "The cluster's own stack: organization/project/stack, as `pulumi stack ls --all` lists it.", Change.REPLACES
    )
    addons: Annotated[Addons, AfterValidator(_some)] = field("Kubernetes add-ons by name.", Change.IN_PLACE)
    chart_mirror: ChartRepository | None = field(
        "Where all charts are taken from instead: the address of an index (https://...) or of a registry (oci://...).",
        Change.IN_PLACE,
        default=None,
    )
    image_mirror: ImageRegistry | None = field(
        "The registry that all images of add-ons are taken from instead, by the same names; EKS's own add-ons stay.",
        Change.IN_PLACE,
        default=None,
    )
    suppress: tuple[Suppression, ...] = field("Findings taken as known.", Change.NOTHING, default=())
