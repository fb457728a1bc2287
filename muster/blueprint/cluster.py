"""The blueprint: everything that follows from a description, derived once, complete, and pure data.

`infra/` and `addons/` register its resources, rules judge it, and jobs are sized by it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from muster.blueprint.node import Node, SlurmNode
from muster.config.account_references import find_references
from muster.config.description.node_group import Tier
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    Addon,
    CapacityBlockPurchase,
    CountedResource,
    Fleet,
    HyperPodCluster,
    InstanceGroup,
    LoginPool,
    LustreFileSystem,
    Ref,
    Reference,
    SecurityGroup,
    Subnet,
)
from muster.fleet.resources import PlacementGroup as JudgedPlacementGroup
from muster.fleet.resources.fleet import Judged
from muster.fleet.resources.ref import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, PLACEMENT_GROUP, VPC, Place

if TYPE_CHECKING:
    from muster.config.description.cluster import Cluster
    from muster.config.description.group import Group as GroupDescription
    from muster.config.description.storage import ExistingLustre, Lustre


@dataclass(frozen=True, slots=True)
class CreatedSubnet:
    """A subnet that Muster creates."""

    ref: Ref
    zone: str
    cidr: str
    tier: Tier


@dataclass(frozen=True, slots=True)
class Network:
    """The network of a cluster."""

    vpc: Reference
    private: Mapping[str, Reference]
    """Zone -> subnet."""
    public: Mapping[str, Reference]
    subnets: Mapping[str, Subnet]
    """Reference of a subnet -> its known properties."""
    cidr: str | None = None
    """The VPC's addresses, if Muster creates it."""
    created: tuple[CreatedSubnet, ...] = ()
    nat_zones: tuple[str, ...] = ()
    """Zones with a NAT gateway."""
    registry_endpoints: SecurityGroup | None = None
    """The security group of the interface endpoints for ECR, if Muster creates them."""

    @property
    def counted(self) -> tuple[CountedResource, ...]:
        """The resources that Muster creates and of which an account may have a limited number."""
        if not isinstance(self.vpc, Ref):
            return ()
        place, name = Place("network.create"), self.vpc.name
        listed: list[tuple[str, str, Reference | None]] = [(VPC, name, None), (INTERNET_GATEWAY, name, None)]
        listed += [(ADDRESS, f"nat-{zone}", None) for zone in self.nat_zones]
        listed += [(NAT_GATEWAY, zone, self.public[zone]) for zone in self.nat_zones]
        return tuple(CountedResource(Ref(kind, each), place, subnet) for kind, each, subnet in listed)

    @property
    def zone_ids(self) -> dict[str, str]:
        """Zone -> its id, for the zones whose id is known."""
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
    """Whether Muster creates it. If not, it exists, and the reservation was created in it."""

    def judged(self, made_as: str, group: str) -> JudgedPlacementGroup | None:
        """The type that rules evaluate; None if it exists already."""
        ref, place = Ref(PLACEMENT_GROUP, made_as), Place(f"groups.{group}")
        return JudgedPlacementGroup(ref, self.name, "cluster", place) if self.create else None


@dataclass(frozen=True, slots=True)
class ServiceInstances:
    """Instances outside the groups that do one thing for the cluster."""

    name: str
    """``head``, or the name of a pool."""
    instance: str
    count: int
    in_ec2: bool = True
    """Whether they belong to the account in EC2. HyperPod's belong to SageMaker."""


@dataclass(frozen=True, slots=True)
class Group(ABC):
    """One group of nodes, whichever service runs it."""

    name: str
    described: "GroupDescription"
    node: Node | SlurmNode

    @property
    @abstractmethod
    def subnets(self) -> tuple[Reference, ...]:
        """Sorted."""

    @property
    def made_as(self) -> str:
        """The name that its resources have in Pulumi and in AWS."""
        return self.name

    @property
    def in_ec2(self) -> bool:
        """Whether its instances belong to the account in EC2. HyperPod's belong to SageMaker."""
        return True

    @property
    def queue_name(self) -> str | None:
        """Slurm's queue that it is in."""
        return None

    @property
    @abstractmethod
    def judged(self) -> tuple[Judged, ...]:
        """Everything in it that rules evaluate."""


@dataclass(frozen=True, slots=True)
class Storage:
    """One shared file system."""

    name: str
    described: "Lustre | ExistingLustre"
    created: LustreFileSystem | None
    """The file system that Muster creates; None for an existing one."""
    existing: LustreFileSystem | None
    """The existing file system, whose settings only FSx knows; None for one that Muster creates."""
    security_group: SecurityGroup | None
    """Its own security group; None for an existing file system."""
    zone: str | None
    """Its zone; None if the description does not set it."""

    @property
    def file_system(self) -> LustreFileSystem:
        """The file system that Muster creates, or the existing one."""
        found = self.created or self.existing
        assert found is not None, "a file system is created, or exists"
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterBlueprint(ABC):
    """One cluster, derived, whichever service runs it."""

    stack: str
    region: str
    cluster_name: str
    described: "Cluster"
    groups: tuple[Group, ...]
    storage: tuple[Storage, ...]
    network: Network
    facts: Facts | None
    facts_file: str
    absent: tuple[str, ...] = ()
    """Why other stacks of the cluster are not known here; the add-ons that they install are then unknown."""

    @property
    @abstractmethod
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules evaluate, except file systems and add-ons."""

    @property
    def backend(self) -> str:
        """The service that runs the cluster."""
        return self.described.backend

    @property
    def name_stem(self) -> str:
        """The prefix of the names of Muster's resources."""
        return self.cluster_name

    @property
    @abstractmethod
    def purchases(self) -> tuple[CapacityBlockPurchase, ...]:
        """The Capacity Blocks to buy, each once, regardless of the number of its groups."""

    @property
    def hyperpod_cluster(self) -> HyperPodCluster | None:
        """The HyperPod cluster; None on other services."""
        return None

    @property
    def hyperpod_groups(self) -> tuple[InstanceGroup, ...]:
        """All instance groups of the HyperPod cluster."""
        return ()

    @property
    def login_nodes(self) -> tuple[LoginPool, ...]:
        """Pools of nodes on which users log in, sorted by name."""
        return ()

    @property
    def service_instances(self) -> tuple[ServiceInstances, ...]:
        """The instances outside the groups: head node, controller, login nodes."""
        return ()

    @property
    def other_instances(self) -> tuple[str, ...]:
        """The types of those that count against EC2's quotas, each as often as there are instances."""
        return tuple(each.instance for each in self.service_instances if each.in_ec2 for _ in range(each.count))

    @property
    def s3_addresses(self) -> Iterator[str]:
        """The S3 locations that nodes read, `s3://BUCKET/PREFIX`, without those that file systems are linked to."""
        return iter(())

    @property
    def subnets(self) -> Mapping[str, Subnet]:
        """The known properties of the network's subnets."""
        return self.network.subnets

    def group(self, name: str) -> Group:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    def zones(self, group: Group) -> tuple[str, ...]:
        """The zones of a group's subnets, sorted; empty if they are unknown."""
        known = (self.subnets.get(str(subnet)) for subnet in group.subnets)
        return tuple(sorted({subnet.zone for subnet in known if subnet and subnet.zone}))

    def fleet(self, as_of: date, addons: tuple[Addon, ...] = ()) -> Fleet:
        """The blueprint as rules see it.

        Args:
            as_of: the day to judge by.
            addons: the add-ons that it installs (`muster.policies.engine.described_fleet`): their values follow
                from the blueprint, which contains no charts.
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


def once_each(purchases: Iterable[CapacityBlockPurchase | None]) -> tuple[CapacityBlockPurchase, ...]:
    """Each purchase once, with the values of the first group that uses it."""
    bought = {each.ref: each for each in reversed([*purchases]) if each}
    return tuple(reversed(bought.values()))
