"""The blueprint of a Slurm cluster on ParallelCluster."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.blueprint.cluster import ClusterBlueprint, Group, once_each
from muster.blueprint.node import SlurmNode
from muster.blueprint.parallelcluster.post_install import bucket
from muster.fleet.resources import (
    CapacityBlockPurchase,
    ComputeResource,
    HeadNode,
    LoginPool,
    ParallelCluster,
    Queue,
    Reference,
    ReservationGroup,
    SecurityGroup,
)
from muster.fleet.resources.fleet import Judged
from muster.unknown import Derived

if TYPE_CHECKING:
    from muster.config.description.slurm_cluster import SlurmCluster
    from muster.config.description.slurm_nodes import ComputeResource as ComputeResourceDescription
    from muster.config.description.slurm_nodes import SlurmQueue


@dataclass(frozen=True, slots=True)
class SlurmGroup(Group):
    """One compute resource."""

    described: "ComputeResourceDescription"
    node: SlurmNode
    queue: str
    """The name of its queue."""
    compute_resource: ComputeResource[Derived]
    reservation_group: ReservationGroup[Derived] | None = None
    """A resource group that Muster creates for it."""
    purchase: CapacityBlockPurchase[Derived] | None = None
    """A Capacity Block that Muster buys for it."""

    @property
    def subnets(self) -> tuple[Reference, ...]:
        """Sorted."""
        return self.compute_resource.subnets

    @property
    def queue_name(self) -> str:
        """The queue that it is in."""
        return self.queue

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        return (self.compute_resource, *((self.reservation_group,) if self.reservation_group else ()))


@dataclass(frozen=True, slots=True)
class DerivedQueue:
    """One queue and its compute resources."""

    name: str
    described: "SlurmQueue"
    queue: Queue[Derived]
    groups: tuple[SlurmGroup, ...]
    """Sorted by name: the engine's configuration is sorted, and a file is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmBlueprint(ClusterBlueprint):
    """One Slurm cluster, derived."""

    described: "SlurmCluster"
    groups: tuple[SlurmGroup, ...]
    cluster: ParallelCluster[Derived]
    head: HeadNode[Derived]
    login_pools: tuple[LoginPool[Derived], ...]
    """Sorted by name."""
    queues: tuple[DerivedQueue, ...]
    """The queues, the default one first, then by name."""
    nodes_security_group: SecurityGroup[Derived]
    """The security group of the head node and of all other nodes, from which file systems accept traffic."""

    @property
    def login_nodes(self) -> tuple[LoginPool[Derived], ...]:
        """The pools of login nodes."""
        return self.login_pools

    @property
    def other_instances(self) -> tuple[str, ...]:
        """The types of the head node and of the login nodes."""
        return (self.described.head.instance, *(each.instance for each in self.described.login_nodes.values()))

    @property
    def s3_addresses(self) -> Iterator[str]:
        """The S3 locations that nodes may read, and the scripts that they run."""
        yield from self.described.s3
        pools = (each.scripts for each in self.login_pools)
        for scripts in (self.head.scripts, *(each.queue.scripts for each in self.queues), *pools):
            yield from (f"s3://{place[0]}" for place in map(bucket, scripts) if place)

    @property
    def purchases(self) -> tuple[CapacityBlockPurchase[Derived], ...]:
        """The Capacity Blocks to buy, each once, regardless of the number of its groups."""
        return once_each(group.purchase for group in self.groups)

    def group(self, name: str) -> SlurmGroup:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules evaluate, except file systems."""
        own = (each.security_group for each in self.storage)
        groups = (self.nodes_security_group, self.network.registry_endpoints, *own)
        return (
            self.cluster,
            self.head,
            *self.login_pools,
            *self.network.counted,
            *(group for group in groups if group),
            *self.purchases,
            *(each.queue for each in self.queues),
            *(thing for group in self.groups for thing in group.judged),
        )
