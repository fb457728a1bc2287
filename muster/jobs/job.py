"""A reference job, as data."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup
from muster.jobs.group_selection import no_gpus
from muster.jobs.workers import Workers


class Queue(Enum):
    """The add-on whose queues a job can be in."""

    KUEUE = "kueue"
    VOLCANO = "volcano"


class Storage(Enum):
    """Whether a job uses a file system."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class System(Enum):
    """The pods of a job that run on system nodes."""

    NONE = "none"
    LAUNCHER = "launcher"
    """Its launcher: the cluster needs a system group."""
    ALL = "all"
    """All: if no group of the description is for system pods, other nodes of the cluster are."""


def nothing(*_: Any) -> Iterator[str]:
    """No reasons."""
    yield from ()


@dataclass(frozen=True, slots=True)
class Form:
    """A format of a job."""

    template: str
    """Of `muster.jobs.rendering`."""
    operator: str | None = None
    """The add-on that runs it."""
    title: str = ""
    sent_by: str = ""
    """The command that submits it; empty for a manifest that `kubectl apply` submits."""
    auto_resume: bool = False
    """Whether HyperPod's auto-resume can restart it."""
    only_hyperpod: bool = False
    """Whether it is only for nodes of HyperPod."""
    refuses: Callable[[Blueprint, Workers], Iterator[str]] = nothing
    """Why the format cannot express the job for a cluster."""


@dataclass(frozen=True, slots=True)
class SlurmForm:
    """The batch script of a job."""

    template: str
    one_task: bool = True
    """Whether Slurm starts one task per node, which starts the processes; else one task per process."""
    options: Mapping[str, str] = field(default_factory=lambda: {"no-requeue": ""})
    """Options of `sbatch`, besides those of its nodes."""
    in_container: bool = True
    """Whether it runs in a container, on clusters that have them."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A job that can be created for a cluster."""

    name: str
    title: str
    manifest: Form
    image: str
    """A public image, by its original name, or the name of an image that users build (`muster.jobs.images`)."""
    forms: Mapping[str, Form] = field(default_factory=dict)
    """Formats other than a manifest, by name."""
    slurm: SlurmForm | None = None
    on_slurm: str = ""
    """For a job without a batch script: the alternative on a cluster with Slurm."""
    has_workers: bool = True
    """False for jobs that run beside training jobs."""
    lacking: Callable[[Any], str] = no_gpus
    """Why the nodes of a group cannot run its workers."""
    having: str = "GPUs and EFA"
    """All that a group must have, for messages."""
    refuses: Callable[[Blueprint, KubernetesGroup], Iterator[str]] = nothing
    """Why a cluster cannot run it on a group that fits."""
    most_nodes: Callable[[KubernetesGroup], int] | None = None
    """The number of a group's nodes that it can use, if that is less than all."""
    efa: bool = True
    """Whether its workers use EFA, and huge pages for it."""
    huge_pages: bool = True
    all_memory: bool = False
    """Whether a worker uses all memory of its node that others leave."""
    cuda: bool = False
    """Whether its image has CUDA kernels and NCCL: it runs only on some GPUs, with a recent driver."""
    queue: Queue | None = Queue.KUEUE
    storage: Storage = Storage.NONE
    system: System = System.NONE
    notes: tuple[str, ...] = ()
    """Notes for the user who submits it to Kubernetes, one line each."""
