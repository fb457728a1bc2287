"""Kubernetes add-ons: Helm releases and manifests."""

from dataclasses import dataclass, field

from muster.fleet.resources.place import Place, Ref
from muster.fleet.unknown import UnknownType


@dataclass(frozen=True, slots=True)
class Addon:
    """One add-on of Muster's catalogue, by its logical name."""

    ref: Ref
    version: str | None | UnknownType
    """Of its chart or manifest."""
    place: Place = field(compare=False)
