"""The blueprint of a cluster with Slurm, whichever service runs it: what jobs and rehearsals read.

Every service has its own subclasses: `muster.blueprint.parallelcluster.cluster`, `muster.blueprint.hyperpod.slurm`,
`muster.blueprint.pcs.cluster`.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.blueprint.cluster import ClusterBlueprint, Group
from muster.blueprint.node import SlurmNode

if TYPE_CHECKING:
    from muster.config.description.group import Group as GroupDescription


@dataclass(frozen=True, slots=True)
class SlurmGroup(Group):
    """One group of equal nodes."""

    described: "GroupDescription"
    node: SlurmNode
    queue: str
    """The name of its queue, which is a partition of Slurm."""

    @property
    def queue_name(self) -> str:
        """The queue that it is in."""
        return self.queue

    @property
    @abstractmethod
    def running(self) -> int:
        """The number of its nodes that always run. The others start for jobs."""

    @property
    @abstractmethod
    def features(self) -> frozenset[str]:
        """The features of its nodes, which `--constraint` can name."""

    @property
    @abstractmethod
    def constraint(self) -> str:
        """The features that select its nodes and, as far as features can distinguish them, no other nodes of its
        queue. Empty if its nodes have no features."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmQueue:
    """One queue of jobs: a partition of Slurm."""

    name: str
    groups: tuple[SlurmGroup, ...]
    exclusive: bool
    """Whether a job has exclusive use of its nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobEnvironment:
    """What a batch script finds on the nodes of a cluster."""

    submit_on: str
    """Where people submit jobs: "the head node"."""
    shared: str | None
    """A directory that all nodes share without a file system of `storage`; None if there is none."""
    scratch: str
    """Where a node's NVMe disks are mounted."""
    counts_memory: bool
    """Whether Slurm allocates memory to jobs."""
    old_kernel: bool = False
    """Whether the kernel is older than 5.15: only since then, a process that forks keeps its EFA memory
    (efa-cheatsheet.md)."""
    has_post_install: bool = False
    """Whether the description can run AWS's post-install scripts on the nodes."""
    image: str | None = None
    """The id of a custom image, whose content Muster does not know."""
    software: str = ""
    """What decides the software of nodes of which Muster does not know it: an image's id, "your lifecycle scripts"."""
    enroot: str = "~/.config/enroot"
    """The folder of a user's settings of Enroot."""
    has_docker: bool = False
    """Whether images can be built where people submit jobs."""
    containers_if: str
    """What to do so that the nodes can run containers."""
    same_features: str
    """Why Slurm cannot distinguish nodes of two groups in one queue, and what to do."""
    starts_nodes: bool = False
    """Whether nodes that do not run yet start for a job."""
    step_options: tuple[str, ...] = ()
    """Options of `srun` for the step that trains."""
    driver_unknown: str = ""
    """The image whose NVIDIA driver Muster does not know; empty if it knows the driver."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmBlueprint(ClusterBlueprint):
    """One cluster with Slurm, derived."""

    groups: tuple[SlurmGroup, ...]
    queues: tuple[SlurmQueue, ...]
    """The default queue first, then by name."""

    @property
    @abstractmethod
    def groups_below(self) -> str:
        """The key of the description that new groups are written below."""

    @property
    @abstractmethod
    def environment(self) -> JobEnvironment:
        """What a batch script finds on the nodes."""

    @abstractmethod
    def has_pyxis(self, group: SlurmGroup) -> bool | None:
        """Whether a group's nodes can run containers with Pyxis and Enroot; None if Muster does not know it."""

    def queue(self, name: str) -> SlurmQueue:
        """The queue of that name.

        Raises:
            KeyError: there is none.
        """
        return {queue.name: queue for queue in self.queues}[name]

    def group(self, name: str) -> SlurmGroup:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    def path_of(self, group: str) -> str:
        """Where a group is in the description: ``queues.gpu.groups.workers``."""
        return ".".join(map(str, self.described.group_path(group)))
