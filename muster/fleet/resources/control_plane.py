"""The EKS control plane and its EKS add-ons."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import U


@dataclass(frozen=True, slots=True)
class ControlPlane(Generic[U]):
    """An EKS cluster."""

    ref: Ref
    kubernetes: str | None | U
    """``1.35``; None where the program leaves it to EKS."""
    subnets: tuple[Reference, ...] | U
    """Sorted: AWS keeps them as a set."""
    place: Place = field(compare=False)
    security_groups: tuple[Reference, ...] | U = ()
    """Groups on the control plane's interfaces beside the one that EKS makes. Sorted."""
    endpoint_private: bool | U = False
    endpoint_public: bool | U = True
    """AWS's own default."""
    public_networks: tuple[str, ...] | U = ()
    """Sorted; empty for the whole world, where the endpoint is public."""
    logs: tuple[str, ...] | U = ()
    """Sorted."""
    secrets_encrypted: bool | U = False
    """Whether a KMS key of the account encrypts Kubernetes secrets."""
    name: str | None | U = None
    existing: bool = False
    """It was there before: the program registers nothing of it, and cannot change it."""
    authentication: str | None | U = None
    """`authenticationMode`: ``API``, ``API_AND_CONFIG_MAP`` or ``CONFIG_MAP``; None where the program says nothing."""
    grants: tuple[str, ...] = field(default=(), compare=False)
    """The principals that the description lets into it. Sorted."""
    vpc: Reference | None = field(default=None, compare=False)
    """The VPC that the description of an existing one stands in."""


@dataclass(frozen=True, slots=True)
class EksAddon(Generic[U]):
    """An EKS add-on (`aws.eks.Addon`)."""

    ref: Ref
    name: str | U
    version: str | None | U
    """``v1.22.1-eksbuild.1``; None where EKS chooses."""
    place: Place = field(compare=False)
    prefix_delegation: bool | U = False
    """Of the VPC CNI: whether it gives interfaces prefixes of sixteen addresses instead of single ones."""
