"""One group of nodes of a blueprint, whichever service runs it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from typing_extensions import TypeVar

from muster.blueprint.node import Node, SlurmNode
from muster.fleet.resources import (
    CapacityBlockPurchase,
    ComputeNodeGroup,
    ComputeResource,
    InstanceGroup,
    LaunchTemplate,
    NodeGroup,
    Ref,
    Reference,
    ReservationGroup,
    Taint,
)
from muster.fleet.resources import PlacementGroup as JudgedPlacementGroup
from muster.fleet.resources.fleet import AnyGroup, Judged
from muster.fleet.resources.ref import PLACEMENT_GROUP, Place

if TYPE_CHECKING:
    from muster.blueprint.user_data import Boot
    from muster.config.description.group import Group as GroupDescription

N = TypeVar("N", bound=Node | SlurmNode, default=Any)
R = TypeVar("R", bound=AnyGroup, default=Any)
T = TypeVar("T", bound=LaunchTemplate | None, default=Any)


class PlacementGroup(NamedTuple):
    """A cluster placement group."""

    name: str
    """Its name in AWS."""
    create: bool
    """Whether Muster creates it. If not, it exists, and the reservation was created in it."""

    def reference(self, made_as: str) -> Reference:
        """The placement group, as a launch template of the group with that name in Pulumi names it."""
        return Ref(PLACEMENT_GROUP, made_as) if self.create else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Generic[N, R, T]):
    """One group of nodes. What a backend does not have is empty or None."""

    name: str
    described: "GroupDescription"
    node: N
    resource: R
    """The group as its service has it, and as rules judge it."""
    template: T
    """Its launch template: on EKS and PCS."""
    boot: "Boot | None" = None
    """The settings of its nodes at boot: on EKS."""
    placement_group: PlacementGroup | None = None
    """Its placement group, unless ParallelCluster makes it."""
    reservation_group: ReservationGroup | None = None
    """A resource group that Muster creates for it."""
    purchase: CapacityBlockPurchase | None = None
    """A Capacity Block that Muster buys for it."""
    queue: str = ""
    """The queue of Slurm that it is in, which is a partition."""
    features: frozenset[str] = frozenset()
    """The features of its nodes in Slurm, which `--constraint` can name."""
    constraint: str = ""
    """The features that select its nodes and, as far as features can distinguish them, no other nodes of its queue.
    Empty if its nodes have no features."""
    has_pyxis: bool | None = None
    """Whether jobs of Slurm can run containers on its nodes with Pyxis and Enroot; None if Muster does not know it."""

    @property
    def made_as(self) -> str:
        """The name that its resources have in Pulumi and in AWS: the one that it had before, if the description sets
        one."""
        return self.described.was or self.name

    @property
    def subnets(self) -> tuple[Reference, ...]:
        """Sorted."""
        return self.resource.subnets

    @property
    def in_ec2(self) -> bool:
        """Whether its instances belong to the account in EC2. HyperPod's belong to SageMaker."""
        return not isinstance(self.resource, InstanceGroup)

    @property
    def running(self) -> int:
        """The number of its nodes that always run. The others start for jobs of Slurm."""
        return self.described.nodes.start

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of its nodes when they join Kubernetes, which adds others, as the service does."""
        return dict(getattr(self.resource, "labels", ()))

    @property
    def taints(self) -> frozenset[Taint]:
        """The taints of its nodes when they join Kubernetes."""
        return frozenset(getattr(self.resource, "taints", ()))

    @property
    def decides_size(self) -> bool:
        """Whether the description sets the number of running nodes. If not, an autoscaler or a person sets it on the
        live cluster, within the bounds. A Capacity Block's group starts when the description states that the block has
        begun."""
        return self.described.nodes.fixed or self.described.capacity.capacity_block is not None

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules evaluate."""
        placed = None
        if self.placement_group and self.placement_group.create:
            ref, place = Ref(PLACEMENT_GROUP, self.made_as), Place(f"groups.{self.name}")
            placed = JudgedPlacementGroup(ref, self.placement_group.name, "cluster", place)
        every: tuple[Judged | None, ...] = (self.template, self.resource, placed, self.reservation_group)
        return tuple(each for each in every if each)


EksGroup = Group[Node, NodeGroup, LaunchTemplate]
HyperPodGroup = Group[Node, InstanceGroup, None]
KubernetesGroup = Group[Node]
ParallelClusterGroup = Group[SlurmNode, ComputeResource, None]
PcsGroup = Group[SlurmNode, ComputeNodeGroup, LaunchTemplate]
HyperPodSlurmGroup = Group[SlurmNode, InstanceGroup, None]
SlurmGroup = Group[SlurmNode]
