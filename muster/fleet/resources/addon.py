"""Kubernetes add-ons: Helm releases, manifests, and the EKS add-ons among Muster's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic

from muster.fleet.resources.place import Place, Ref
from muster.fleet.unknown import U


class Kind(StrEnum):
    """What is registered for an add-on."""

    CHART = "chart"
    MANIFEST = "manifest"
    EKS_ADDON = "eks-addon"


@dataclass(frozen=True, slots=True)
class Addon(Generic[U]):
    """One add-on, by its logical name: of Muster's catalogue, or a chart of the user's own."""

    ref: Ref
    version: str | None | U
    """Of its chart, manifest or EKS add-on."""
    place: Place = field(compare=False)
    kind: Kind = Kind.CHART
    chart: str | U = ""
    """The chart's name, without a registry's; of an EKS add-on EKS's name; of a manifest the add-on's own."""
    values: Mapping[str, Any] | U = field(default_factory=dict, hash=False)
    """What the chart or the EKS add-on is given; the rest are its own defaults. Of a manifest nothing."""
    installed_by: str | None = field(default=None, compare=False)
    """The stack that installs it, where that is not the one that is judged."""
    apart: str | None = field(default=None, compare=False)
    """The stack that installs it, where that is not the cluster's own: it comes after all that the cluster has."""
