"""What a cluster with Slurm has besides its groups: its queues, and what jobs find on its nodes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from muster.blueprint.group import Group

if TYPE_CHECKING:
    from muster.config.description.cluster import Cluster

G = TypeVar("G", bound=Group, default=Group)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmQueue(Generic[G]):
    """One queue of jobs: a partition of Slurm."""

    name: str
    groups: tuple[G, ...]
    """Sorted by name: the engine's configuration is sorted, and a file is not."""
    exclusive: bool
    """Whether a job has exclusive use of its nodes."""
    resource: Any = None
    """The queue as its service has it, and as rules judge it. None on HyperPod, whose groups name their partition."""


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


def queues_in_order(described: "Cluster") -> list[str]:
    """The names of the queues of a description: the default queue first, because ParallelCluster uses the first one;
    then by name."""
    return sorted(described.queues, key=lambda name: (name != described.default_queue, name))
