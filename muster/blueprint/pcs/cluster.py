"""The blueprint of a Slurm cluster on AWS PCS."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.blueprint.cluster import PlacementGroup, ServiceInstances, once_each
from muster.blueprint.slurm import JobEnvironment, SlurmBlueprint, SlurmGroup, SlurmQueue
from muster.fleet.resources import (
    CapacityBlockPurchase,
    ComputeNodeGroup,
    LaunchTemplate,
    PcsCluster,
    PcsQueue,
    Reference,
    ReservationGroup,
    SecurityGroup,
)
from muster.fleet.resources.fleet import Judged

if TYPE_CHECKING:
    from muster.config.description.group import Group as GroupDescription
    from muster.config.description.pcs_cluster import PcsCluster as PcsClusterDescription
    from muster.config.description.queues import LoginPool as PcsLoginGroupDescription
    from muster.config.description.queues import Queue as PcsQueueDescription


@dataclass(frozen=True, slots=True)
class PcsGroup(SlurmGroup):
    """One compute node group of a queue."""

    described: "GroupDescription"
    template: LaunchTemplate
    node_group: ComputeNodeGroup
    placement_group: PlacementGroup | None = None
    reservation_group: ReservationGroup | None = None
    """A resource group that Muster creates for it."""
    purchase: CapacityBlockPurchase | None = None
    """A Capacity Block that Muster buys for it."""

    @property
    def subnets(self) -> tuple[Reference, ...]:
        """Sorted."""
        return self.node_group.subnets

    @property
    def running(self) -> int:
        """The number of its nodes that always run."""
        return self.described.nodes.min

    @property
    def features(self) -> frozenset[str]:
        """None: no page of AWS lists features of nodes of PCS."""
        return frozenset()

    @property
    def constraint(self) -> str:
        """None."""
        return ""

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules evaluate."""
        made = self.placement_group.judged(self.name, self.name) if self.placement_group else None
        return (self.template, self.node_group, *(each for each in (made, self.reservation_group) if each))


@dataclass(frozen=True, slots=True)
class LoginGroup:
    """A compute node group on which users log in."""

    name: str
    described: "PcsLoginGroupDescription"
    template: LaunchTemplate
    node_group: ComputeNodeGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedQueue(SlurmQueue):
    """One queue and its compute node groups, sorted by name."""

    described: "PcsQueueDescription"
    queue: PcsQueue
    groups: tuple[PcsGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PcsBlueprint(SlurmBlueprint):
    """One Slurm cluster on PCS, derived."""

    described: "PcsClusterDescription"
    groups: tuple[PcsGroup, ...]
    cluster: PcsCluster
    login_groups: tuple[LoginGroup, ...]
    """Sorted by name."""
    queues: tuple[DerivedQueue, ...]
    security_group: SecurityGroup
    """The security group of the controller and of all nodes."""

    @property
    def service_instances(self) -> tuple[ServiceInstances, ...]:
        """The login nodes."""
        return tuple(
            ServiceInstances(each.name, each.described.instance, each.described.nodes) for each in self.login_groups
        )

    @property
    def purchases(self) -> tuple[CapacityBlockPurchase, ...]:
        """The Capacity Blocks to buy, each once, regardless of the number of its groups."""
        return once_each(group.purchase for group in self.groups)

    @property
    def groups_below(self) -> str:
        """Groups are in queues."""
        return "queues"

    @property
    def environment(self) -> JobEnvironment:
        """What a batch script finds on the nodes."""
        image = str(self.described.image)
        return JobEnvironment(
            submit_on="a login node",
            shared=None,
            scratch="",
            counts_memory=self.described.slurm.memory_scheduling,
            image=image,
            software=image,
            containers_if="use an image with Pyxis and Enroot",
            same_features="the nodes of PCS have no features; give each group its own queue",
            starts_nodes=True,
            driver_unknown=f"the image {image}",
        )

    def has_pyxis(self, group: SlurmGroup) -> bool | None:  # noqa: ARG002 - the same for every group
        """Unknown: only the image can have it."""
        return None

    def group(self, name: str) -> PcsGroup:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules evaluate, except file systems."""
        own = (each.security_group for each in self.storage)
        security = (self.security_group, self.network.registry_endpoints, *own)
        return (
            self.cluster,
            *self.network.counted,
            *(group for group in security if group),
            *self.purchases,
            *(each.queue for each in self.queues),
            *(thing for group in self.groups for thing in group.judged),
            *(thing for each in self.login_groups for thing in (each.template, each.node_group)),
        )
