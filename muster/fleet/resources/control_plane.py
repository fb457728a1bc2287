"""The EKS control plane and its EKS add-ons."""

from dataclasses import dataclass, field

from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import UnknownType


@dataclass(frozen=True, slots=True)
class ControlPlane:
    """An EKS cluster."""

    ref: Ref
    kubernetes: str | None | UnknownType
    """``1.35``; None where the program leaves it to EKS."""
    subnets: tuple[Reference, ...] | UnknownType
    """Sorted: AWS keeps them as a set."""
    place: Place = field(compare=False)
    security_groups: tuple[Reference, ...] | UnknownType = ()
    """Groups on the control plane's interfaces beside the one that EKS makes. Sorted."""


@dataclass(frozen=True, slots=True)
class EksAddon:
    """An EKS add-on (`aws.eks.Addon`)."""

    ref: Ref
    name: str | UnknownType
    version: str | None | UnknownType
    """``v1.22.1-eksbuild.1``; None where EKS chooses."""
    place: Place = field(compare=False)
