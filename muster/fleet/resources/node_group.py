"""EKS managed node groups."""

from dataclasses import dataclass, field

from muster.fleet.description.capacity import Reservation
from muster.fleet.description.group import Purpose
from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import UnknownType


@dataclass(frozen=True, slots=True, order=True)
class Taint:
    """A Kubernetes taint; `effect` in Kubernetes' words (``NoSchedule``)."""

    key: str
    value: str
    effect: str


EKS_EFFECTS = {"NoSchedule": "NO_SCHEDULE", "PreferNoSchedule": "PREFER_NO_SCHEDULE", "NoExecute": "NO_EXECUTE"}
"""A taint's effect in Kubernetes' words -> in EKS's."""


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """A managed node group."""

    ref: Ref
    template: Reference | None | UnknownType
    instance_types: tuple[str, ...] | UnknownType
    """The group's own list; empty where the launch template says the type."""
    subnets: tuple[Reference, ...] | UnknownType
    """Sorted."""
    ami_type: str | None | UnknownType
    capacity_type: str | None | UnknownType
    nodes_min: int | UnknownType
    nodes_start: int | UnknownType
    nodes_max: int | UnknownType
    disk_size: int | None | UnknownType
    remote_access: bool
    release_version: str | None | UnknownType
    version: str | None | UnknownType
    labels: frozenset[tuple[str, str]]
    taints: frozenset[Taint]
    place: Place = field(compare=False)
    purpose: Purpose | None = field(default=None, compare=False)
    """What the description says it is for; no resource carries it."""
    reservation: Reservation | None = field(default=None, compare=False)
    """What the description says of its reservation; a resource carries only the id."""
    zone: str | None = field(default=None, compare=False)
    """The zone that the description asks for."""
    update_strategy: str | None | UnknownType = None
    """``MINIMAL`` ends old nodes before it launches new ones."""
    repair: bool | None | UnknownType = None
    """Whether EKS replaces or reboots unhealthy nodes."""
