"""The blueprint of a Slurm cluster on ParallelCluster."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.blueprint.cluster import ServiceInstances, once_each
from muster.blueprint.parallelcluster.post_install import bucket
from muster.blueprint.slurm import JobEnvironment, SlurmBlueprint, SlurmGroup, SlurmQueue
from muster.config.description.parallelcluster_nodes import PostInstall, Software
from muster.config.description.slurm_settings import Os
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

if TYPE_CHECKING:
    from muster.config.description.group import Group as GroupDescription
    from muster.config.description.parallelcluster import SlurmCluster
    from muster.config.description.queues import Queue as QueueDescription


APPS = "apps"
"""The volume that the head node shares at /apps."""
SCRATCH = "/local_scratch"
"""Where a node's NVMe disks are mounted."""

_OLD_KERNELS = frozenset({Os.RHEL8, Os.RHEL9, Os.ROCKY8, Os.ROCKY9})
"""Kernels 4.18 and 5.14."""


@dataclass(frozen=True, slots=True)
class ParallelClusterGroup(SlurmGroup):
    """One compute resource."""

    described: "GroupDescription"
    compute_resource: ComputeResource
    reservation_group: ReservationGroup | None = None
    """A resource group that Muster creates for it."""
    purchase: CapacityBlockPurchase | None = None
    """A Capacity Block that Muster buys for it."""

    @property
    def subnets(self) -> tuple[Reference, ...]:
        """Sorted."""
        return self.compute_resource.subnets

    @property
    def running(self) -> int:
        """Its static nodes."""
        return self.described.nodes.min

    @property
    def features(self) -> frozenset[str]:
        """The name of the compute resource, the type, and words of ParallelCluster, which may also be the name of a
        compute resource (aws-parallelcluster-cookbook, `config_renderer.py`)."""
        own = (word for word, has in _FEATURE_TESTS.items() if has(self))
        return frozenset({self.name, self.described.instance, *own})

    @property
    def constraint(self) -> str:
        """Its name; with its type if ParallelCluster also uses this name as a feature."""
        return f"{self.name}&{self.described.instance}" if self.name in _FEATURE_TESTS else self.name

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        return (self.compute_resource, *((self.reservation_group,) if self.reservation_group else ()))


_FEATURE_TESTS: Mapping[str, Callable[[ParallelClusterGroup], bool]] = {
    "static": lambda group: group.described.nodes.min > 0,
    "dynamic": lambda group: group.described.nodes.max > group.described.nodes.min,
    "efa": lambda group: group.described.has_efa,
    "gpu": lambda group: group.node.gpus > 0,
}
"""ParallelCluster's own features -> whether some nodes of a group have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedQueue(SlurmQueue):
    """One queue and its compute resources, sorted by name: the engine's configuration is sorted, and a file is not."""

    described: "QueueDescription"
    queue: Queue
    groups: tuple[ParallelClusterGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelClusterBlueprint(SlurmBlueprint):
    """One Slurm cluster on ParallelCluster, derived."""

    described: "SlurmCluster"
    groups: tuple[ParallelClusterGroup, ...]
    cluster: ParallelCluster
    head: HeadNode
    login_pools: tuple[LoginPool, ...]
    """Sorted by name."""
    queues: tuple[DerivedQueue, ...]
    nodes_security_group: SecurityGroup
    """The security group of the head node and of all other nodes, from which file systems accept traffic."""

    @property
    def login_nodes(self) -> tuple[LoginPool, ...]:
        """The pools of login nodes."""
        return self.login_pools

    @property
    def service_instances(self) -> tuple[ServiceInstances, ...]:
        """The head node and the login nodes."""
        pools = sorted(self.described.login_nodes.items())
        logins = (ServiceInstances(name, pool.instance, pool.nodes) for name, pool in pools)
        return (ServiceInstances("head", self.described.head.instance, 1), *logins)

    @property
    def s3_addresses(self) -> Iterator[str]:
        """The S3 locations that nodes may read, and the scripts that they run."""
        yield from self.described.s3
        pools = (each.scripts for each in self.login_pools)
        for scripts in (self.head.scripts, *(each.queue.scripts for each in self.queues), *pools):
            yield from (f"s3://{place[0]}" for place in map(bucket, scripts) if place)

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
        """What a batch script finds on ParallelCluster's nodes."""
        return JobEnvironment(
            submit_on="the head node",
            shared=f"/{APPS}",
            scratch=SCRATCH,
            counts_memory=self.described.slurm.memory_scheduling,
            old_kernel=self.described.os in _OLD_KERNELS,
            has_post_install=True,
            image=self.described.image,
            has_docker=_installs(self.described.head.post_install or self.described.post_install, Software.DOCKER),
            containers_if="add `post-install: {install: [docker, pyxis]}`",
            same_features="ParallelCluster also uses this name as a feature of nodes; rename the group",
            starts_nodes=True,
            software=self.described.image or "",
            driver_unknown=f"the image {self.described.image}" if self.described.image else "",
        )

    def has_pyxis(self, group: SlurmGroup) -> bool | None:
        """Whether the stack installs Pyxis, on the head node and on the group's nodes; None if only a custom image
        can have it."""
        described = self.described
        installs = (described.head.post_install, described.queues[group.queue].post_install)
        if all(_installs(own or described.post_install, Software.PYXIS) for own in installs):
            return True
        return None if described.image else False

    def group(self, name: str) -> ParallelClusterGroup:
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


def _installs(post_install: PostInstall | None, software: Software) -> bool:
    return post_install is not None and software in post_install.install
