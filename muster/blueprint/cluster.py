"""The blueprint: everything a description comes to, derived once, complete, and pure data.

`infra/` and `addons/` translate it into resources, rules judge it, jobs are sized by it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from muster.blueprint.node import Node, SlurmNode
from muster.blueprint.user_data import Boot
from muster.config.account_references import find_references
from muster.config.description.cluster import AnyCluster
from muster.config.description.instance_group import InstanceGroup as InstanceGroupDescription
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.description.node_group import Group as GroupDescription
from muster.config.description.node_group import Tier
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.description.slurm_nodes import ComputeResource as ComputeResourceDescription
from muster.config.description.slurm_nodes import SlurmQueue
from muster.config.description.storage import ExistingLustre, Lustre
from muster.config.identifiers import aws_name_stem
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    Addon,
    CapacityBlockPurchase,
    ComputeResource,
    ControlPlane,
    CountedResource,
    EksAddon,
    Fleet,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    LifecycleBundle,
    LustreFileSystem,
    NodeGroup,
    ParallelCluster,
    Queue,
    Ref,
    Reference,
    ReservationGroup,
    SecurityGroup,
    Subnet,
    Taint,
    TrackingServer,
)
from muster.fleet.resources import PlacementGroup as JudgedPlacementGroup
from muster.fleet.resources.fleet import Judged
from muster.fleet.resources.ref import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, PLACEMENT_GROUP, VPC, Place
from muster.fleet.unknown import Derived


@dataclass(frozen=True, slots=True)
class CreatedSubnet:
    """A subnet that Muster makes."""

    ref: Ref
    zone: str
    cidr: str
    tier: Tier


@dataclass(frozen=True, slots=True)
class Network:
    """The network a cluster stands in."""

    vpc: Reference
    private: Mapping[str, Reference]
    """Zone -> subnet."""
    public: Mapping[str, Reference]
    subnets: Mapping[str, Subnet]
    """What is known of each, by the name that references to it go by."""
    cidr: str | None = None
    """The VPC's addresses, where Muster makes it."""
    created: tuple[CreatedSubnet, ...] = ()
    nat_zones: tuple[str, ...] = ()
    """Zones with a NAT gateway."""
    registry_endpoints: SecurityGroup[Derived] | None = None
    """The group of the interface endpoints for ECR, where Muster makes them."""

    @property
    def counted(self) -> tuple[CountedResource[Derived], ...]:
        """What Muster makes of it that accounts may have only so many of."""
        if not isinstance(self.vpc, Ref):
            return ()
        place, name = Place("network.create"), self.vpc.name
        listed: list[tuple[str, str, Reference | None]] = [(VPC, name, None), (INTERNET_GATEWAY, name, None)]
        listed += [(ADDRESS, f"nat-{zone}", None) for zone in self.nat_zones]
        listed += [(NAT_GATEWAY, zone, self.public[zone]) for zone in self.nat_zones]
        return tuple(CountedResource(Ref(kind, each), place, subnet) for kind, each, subnet in listed)

    @property
    def zone_ids(self) -> dict[str, str]:
        """Zone -> its id, as far as anybody said."""
        known = ((each.observed_zone or each.declared_zone, each.zone_id) for each in self.subnets.values())
        return {zone: id_ for zone, id_ in sorted(known, key=str) if zone and id_}

    def of(self, tier: Tier) -> Mapping[str, Reference]:
        """Zone -> subnet, of one tier."""
        return self.private if tier is Tier.PRIVATE else self.public


@dataclass(frozen=True, slots=True)
class PlacementGroup:
    """A cluster placement group."""

    name: str
    """Its name in AWS."""
    create: bool
    """False: it exists, the reservation was created in it."""

    def judged(self, made_as: str, group: str) -> JudgedPlacementGroup[Derived] | None:
        """As rules see it, None where it exists."""
        ref, place = Ref(PLACEMENT_GROUP, made_as), Place(f"groups.{group}")
        return JudgedPlacementGroup(ref, self.name, "cluster", place) if self.create else None


@dataclass(frozen=True, slots=True)
class Group(ABC):
    """One group of nodes, whichever service runs it."""

    name: str
    described: GroupDescription | InstanceGroupDescription | ComputeResourceDescription
    node: Node | SlurmNode
    subnets: tuple[Reference, ...]
    """Sorted."""

    @property
    def made_as(self) -> str:
        """The name that its resources have in Pulumi and in AWS."""
        return self.name

    @property
    @abstractmethod
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""


@dataclass(frozen=True, slots=True)
class KubernetesGroup(Group):
    """One group of nodes of Kubernetes."""

    described: GroupDescription | InstanceGroupDescription
    node: Node
    labels: Mapping[str, str]
    """What its nodes carry from their first moment; Kubernetes and the service add theirs."""
    taints: frozenset[Taint]

    @property
    def decides_size(self) -> bool:
        """Whether the description decides how many nodes run. Else, once created, the live cluster does (an autoscaler,
        a person) within the bounds. A Capacity Block's group starts when the description says that the block has
        begun."""
        return self.described.nodes.fixed or self.described.capacity.capacity_block is not None


@dataclass(frozen=True, slots=True)
class HyperPodGroup(KubernetesGroup):
    """An instance group of HyperPod."""

    described: InstanceGroupDescription
    instance_group: InstanceGroup[Derived]

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        return (self.instance_group,)


@dataclass(frozen=True, slots=True)
class EksGroup(KubernetesGroup):
    """One node group of EKS with everything it needs."""

    described: GroupDescription
    node_group: NodeGroup[Derived]
    template: LaunchTemplate[Derived]
    placement_group: PlacementGroup | None
    boot: Boot
    """What a node is told at boot."""
    reservation_group: ReservationGroup[Derived] | None = None
    """A resource group that Muster makes for it."""
    purchase: CapacityBlockPurchase[Derived] | None = None
    """A Capacity Block that Muster buys for it."""

    @property
    def made_as(self) -> str:
        """The name that it had before, where the description says one: its resources keep that."""
        return self.described.was or self.name

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        placement = self.placement_group.judged(self.made_as, self.name) if self.placement_group else None
        every = (self.template, self.node_group, placement, self.reservation_group)
        return tuple(each for each in every if each)


@dataclass(frozen=True, slots=True)
class Storage:
    """One shared file system."""

    name: str
    described: Lustre | ExistingLustre
    created: LustreFileSystem[Derived] | None
    """What Muster makes."""
    existing: LustreFileSystem | None
    """What is there before: only FSx knows how it is made."""
    security_group: SecurityGroup[Derived] | None
    """Its own; None where the file system exists."""
    zone: str | None
    """Where it is, as far as the description says."""

    @property
    def file_system(self) -> LustreFileSystem:
        """The one that is made, or the one that exists."""
        found = self.created or self.existing
        assert found is not None, "a file system is created, or exists"
        return found


@dataclass(frozen=True, slots=True)
class HyperPod:
    """The HyperPod cluster of a blueprint."""

    cluster: HyperPodCluster[Derived]
    bundle: LifecycleBundle[Derived] | None
    """The scripts that Muster puts into a bucket of its own; None where every group has others, or none."""
    tracking_server: TrackingServer[Derived] | None = None
    """Managed MLflow's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterBlueprint(ABC):
    """One cluster, derived, whichever service runs it."""

    stack: str
    region: str
    cluster_name: str
    described: AnyCluster
    groups: tuple[Group, ...]
    storage: tuple[Storage, ...]
    network: Network
    facts: Facts | None
    facts_file: str
    absent: tuple[str, ...] = ()
    """Why other stacks of the cluster are not known here: nobody can say what they install."""

    @property
    @abstractmethod
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules judge, but file systems and add-ons."""

    @property
    def backend(self) -> str:
        """The service that runs the cluster."""
        return self.described.backend

    @property
    def name_stem(self) -> str:
        """What the names of Muster's own resources begin with."""
        return self.cluster_name

    @property
    @abstractmethod
    def purchases(self) -> tuple[CapacityBlockPurchase[Derived], ...]:
        """The Capacity Blocks to buy, each once, however many groups are on it."""

    @property
    def subnets(self) -> Mapping[str, Subnet]:
        """What is known of the network's subnets."""
        return self.network.subnets

    def group(self, name: str) -> Group:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    def zones(self, group: Group) -> tuple[str, ...]:
        """The zones of a group's subnets, sorted; empty where nobody said."""
        known = (self.subnets.get(str(subnet)) for subnet in group.subnets)
        return tuple(sorted({subnet.zone for subnet in known if subnet and subnet.zone}))

    def fleet(self, as_of: date, addons: tuple[Addon, ...] = ()) -> Fleet:
        """The blueprint as rules see it.

        Args:
            as_of: the day to judge by.
            addons: what it installs (`policies.engine.described_fleet`): their values follow from the blueprint, which
            knows no charts.
        """
        return Fleet(
            objects=(*self.judged, *addons, *(each.file_system for each in self.storage)),
            subnets=self.subnets,
            facts=self.facts,
            facts_file=self.facts_file,
            region=self.region,
            as_of=as_of,
            absent=self.absent,
            backend=self.backend,
            named=find_references(self.described),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Blueprint(ClusterBlueprint):
    """One cluster with a Kubernetes control plane, derived."""

    described: KubernetesCluster
    groups: tuple[KubernetesGroup, ...]
    control_plane: ControlPlane[Derived]
    efa_security_group: SecurityGroup[Derived] | None
    """None where no group has EFA interfaces."""
    eks_addons: tuple[EksAddon[Derived], ...]
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Key below `addons:` (``mpi-operator``, ``charts.RELEASE``) -> the stack that installs it: of a cluster that
    several stacks make, what is not this one's."""
    by_outputs: bool = False
    """Whether the cluster is known by its outputs alone: of what others install on it nobody knows the values."""
    hyperpod: HyperPod | None = None
    """The HyperPod cluster, on that backend."""
    cluster_stack: str = ""
    """The stack that makes the cluster: this one, unless this one has only add-ons for it."""

    @property
    def name_stem(self) -> str:
        """The cluster's name, where it fits: one that exists may have any that EKS takes."""
        return aws_name_stem(self.cluster_name)

    @property
    def purchases(self) -> tuple[CapacityBlockPurchase[Derived], ...]:
        """The Capacity Blocks to buy, each once, however many groups are on it."""
        return once_each(group.purchase for group in self.eks_groups)

    @property
    def eks_groups(self) -> tuple[EksGroup, ...]:
        """The node groups of EKS."""
        return tuple(group for group in self.groups if isinstance(group, EksGroup))

    @property
    def instance_groups(self) -> tuple[HyperPodGroup, ...]:
        """The instance groups of HyperPod, by name: the engine's configuration is sorted, a file is as it was written,
        and SageMaker's list of them is one."""
        groups = (group for group in self.groups if isinstance(group, HyperPodGroup))
        return tuple(sorted(groups, key=lambda group: group.name))

    def group(self, name: str) -> KubernetesGroup:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules judge, but file systems and add-ons."""
        own = (each.security_group for each in self.storage)
        groups = (self.efa_security_group, self.network.registry_endpoints, *own)
        return (
            self.control_plane,
            *self.network.counted,
            *(group for group in groups if group),
            *self.eks_addons,
            *self.purchases,
            *((self.hyperpod.cluster,) if self.hyperpod else ()),
            *((self.hyperpod.bundle,) if self.hyperpod and self.hyperpod.bundle else ()),
            *((self.hyperpod.tracking_server,) if self.hyperpod and self.hyperpod.tracking_server else ()),
            *(thing for group in self.groups for thing in group.judged),
        )


def once_each(purchases: Iterable[CapacityBlockPurchase[Derived] | None]) -> tuple[CapacityBlockPurchase[Derived], ...]:
    """Each purchase once, as the first group on it has it."""
    bought = {each.ref: each for each in reversed([*purchases]) if each}
    return tuple(reversed(bought.values()))


@dataclass(frozen=True, slots=True)
class SlurmGroup(Group):
    """One compute resource."""

    described: ComputeResourceDescription
    node: SlurmNode
    queue: str
    """The name of its queue."""
    compute_resource: ComputeResource[Derived]
    reservation_group: ReservationGroup[Derived] | None = None
    """A resource group that Muster makes for it."""
    purchase: CapacityBlockPurchase[Derived] | None = None
    """A Capacity Block that Muster buys for it."""

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        return (self.compute_resource, *((self.reservation_group,) if self.reservation_group else ()))


@dataclass(frozen=True, slots=True)
class DerivedQueue:
    """One queue, and what is in it."""

    name: str
    described: SlurmQueue
    queue: Queue[Derived]
    groups: tuple[SlurmGroup, ...]
    """By name: the engine's configuration is sorted, a file is as it was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmBlueprint(ClusterBlueprint):
    """One Slurm cluster, derived."""

    described: SlurmCluster
    groups: tuple[SlurmGroup, ...]
    cluster: ParallelCluster[Derived]
    head: HeadNode[Derived]
    queues: tuple[DerivedQueue, ...]
    """The default one first, then by name."""
    nodes_security_group: SecurityGroup[Derived]
    """Carried by the head node and all others: what file systems let in."""

    @property
    def purchases(self) -> tuple[CapacityBlockPurchase[Derived], ...]:
        """The Capacity Blocks to buy, each once, however many groups are on it."""
        return once_each(group.purchase for group in self.groups)

    def group(self, name: str) -> SlurmGroup:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules judge, but file systems."""
        own = (each.security_group for each in self.storage)
        groups = (self.nodes_security_group, self.network.registry_endpoints, *own)
        return (
            self.cluster,
            self.head,
            *self.network.counted,
            *(group for group in groups if group),
            *self.purchases,
            *(each.queue for each in self.queues),
            *(thing for group in self.groups for thing in group.judged),
        )


AnyBlueprint = Blueprint | SlurmBlueprint
"""Of a cluster of any backend."""
