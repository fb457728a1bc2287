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
    LustreFileSystem,
    Ref,
    Reference,
    SecurityGroup,
    Subnet,
)
from muster.fleet.resources import PlacementGroup as JudgedPlacementGroup
from muster.fleet.resources.fleet import Judged
from muster.fleet.resources.ref import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, PLACEMENT_GROUP, VPC, Place
from muster.unknown import Derived

if TYPE_CHECKING:
    from muster.config.description.cluster import AnyCluster
    from muster.config.description.instance_group import InstanceGroup as InstanceGroupDescription
    from muster.config.description.node_group import Group as GroupDescription
    from muster.config.description.slurm_nodes import ComputeResource as ComputeResourceDescription
    from muster.config.description.storage import ExistingLustre, Lustre


@dataclass(frozen=True, slots=True)
class CreatedSubnet:
    """A subnet that Muster makes."""

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
    """The name that references have for a subnet -> what is known of it."""
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
        """Zone -> its id, of the zones whose id is known."""
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
    described: "GroupDescription | InstanceGroupDescription | ComputeResourceDescription"
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
        """Whether its instances are the account's own in EC2. HyperPod's are SageMaker's."""
        return True

    @property
    def queue_name(self) -> str | None:
        """Slurm's queue that it is in."""
        return None

    @property
    def can_be_renamed(self) -> bool:
        """Whether its resources stay when the group gets another name (`was`)."""
        return False

    @property
    @abstractmethod
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""


@dataclass(frozen=True, slots=True)
class Storage:
    """One shared file system."""

    name: str
    described: "Lustre | ExistingLustre"
    created: LustreFileSystem[Derived] | None
    """What Muster makes."""
    existing: LustreFileSystem | None
    """What is there before: only FSx knows how it is made."""
    security_group: SecurityGroup[Derived] | None
    """Its own; None where the file system exists."""
    zone: str | None
    """Where it is; None where the description does not give it."""

    @property
    def file_system(self) -> LustreFileSystem:
        """The one that is made, or the one that exists."""
        found = self.created or self.existing
        assert found is not None, "a file system is created, or exists"
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterBlueprint(ABC):
    """One cluster, derived, whichever service runs it."""

    stack: str
    region: str
    cluster_name: str
    described: "AnyCluster"
    groups: tuple[Group, ...]
    storage: tuple[Storage, ...]
    network: Network
    facts: Facts | None
    facts_file: str
    absent: tuple[str, ...] = ()
    """Why other stacks of the cluster are not known here: what they install is unknown."""

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
    def other_instances(self) -> tuple[str, ...]:
        """The types of instances that are in no group: a head node's."""
        return ()

    @property
    def s3_addresses(self) -> Iterator[str]:
        """What nodes read in S3, `s3://BUCKET/PREFIX`; not what file systems are linked to."""
        return iter(())

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
        """The zones of a group's subnets, sorted; empty where they are not known."""
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


def once_each(purchases: Iterable[CapacityBlockPurchase[Derived] | None]) -> tuple[CapacityBlockPurchase[Derived], ...]:
    """Each purchase once, with the values of the first group that uses it."""
    bought = {each.ref: each for each in reversed([*purchases]) if each}
    return tuple(reversed(bought.values()))
