"""Node groups: EKS's managed ones, and Auto Scaling groups of one's own."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.description.capacity import Capacity, Reservation, ReservationGroup
from muster.fleet.description.group_core import Purpose
from muster.fleet.description.image import Family
from muster.fleet.description.nodes import Scaler
from muster.fleet.resources.launch_template import CapacityTarget
from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import U


@dataclass(frozen=True, slots=True, order=True)
class Taint:
    """A Kubernetes taint; `effect` in Kubernetes' words (``NoSchedule``)."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        """As kubectl writes it."""
        return f"{self.key}{f'={self.value}' if self.value else ''}:{self.effect}"


EKS_EFFECTS = {"NoSchedule": "NO_SCHEDULE", "PreferNoSchedule": "PREFER_NO_SCHEDULE", "NoExecute": "NO_EXECUTE"}
"""A taint's effect in Kubernetes' words -> in EKS's."""


@dataclass(frozen=True, slots=True)
class NodeGroup(Generic[U]):
    """A node group. Of a self-managed one only the template says anything about the image."""

    ref: Ref
    template: Reference | None | U
    instance_types: tuple[str, ...] | U
    """The group's own list; empty where the launch template says the type. A self-managed group's (`overrides` of its
    mixed instances policy) stands before the template's."""
    subnets: tuple[Reference, ...] | U
    """Sorted."""
    ami_type: str | None | U
    capacity_type: str | None | U
    nodes_min: int | U
    nodes_start: int | U
    nodes_max: int | U
    disk_size: int | None | U
    remote_access: bool
    release_version: str | None | U
    version: str | None | U
    labels: frozenset[tuple[str, str]] | U
    """Unknown, as the taints are, as soon as a part of them is."""
    taints: frozenset[Taint] | U
    place: Place = field(compare=False)
    purpose: Purpose | None = field(default=None, compare=False)
    """What the description says it is for; no resource carries it."""
    capacity: Capacity | None = field(default=None, compare=False)
    """What the description says of its capacity; a resource carries only ids."""
    scaled_by: Scaler | None = field(default=None, compare=False)
    """Who moves the number of nodes, in the description's word."""
    zone: str | None = field(default=None, compare=False)
    """The zone that the description asks for."""
    family: Family | None = field(default=None, compare=False)
    """The operating system of its nodes, in the description's word."""
    update_strategy: str | None | U = None
    """``MINIMAL`` ends old nodes before it launches new ones."""
    repair: bool | None | U = None
    """Whether EKS replaces or reboots unhealthy nodes."""
    repair_limits: tuple[tuple[str, int | U], ...] = ()
    """The limits of `nodeRepairConfig` that are set: name (`maxParallelNodesRepairedCount`) and number. Sorted."""
    max_unavailable: int | None | U = None
    max_unavailable_percentage: int | None | U = None
    managed: bool = True
    """False for an Auto Scaling group of one's own."""
    zero_at: tuple[str, ...] | U = ()
    """When a schedule sets a self-managed group to no nodes: ISO 8601, UTC. Sorted."""
    target: CapacityTarget[U] | None = None
    """A self-managed group's own word on reservations: it stands before its template's. None where it says nothing."""
    ignored: tuple[str, ...] = field(default=(), compare=False)
    """Settings of the description that are for managed groups only, said of one that is not."""

    @property
    def reservation(self) -> Reservation | ReservationGroup | None:
        """What the description says of its On-Demand Capacity Reservations."""
        return self.capacity.on_demand_reservation if self.capacity else None
