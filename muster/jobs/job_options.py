"""The options of a reference job."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JobOptions:
    """The options of a job. By default it uses the one group that fits, with its initial nodes, each of them whole."""

    group: str | None = None
    """The group of the workers; needed if several fit."""
    nodes: int | None = None
    """The number of workers, one per node."""
    beyond_the_group: bool = False
    """Whether more workers than the group's maximum are allowed: a rehearsal lets the scheduler decide."""
    queue: str | None = None
    """The queue of the job: a LocalQueue of Kueue, or for a Volcano job, a Queue of Volcano."""
    priority: str | None = None
    """The priority class of the job, as HyperPod's task governance has them: ``training``."""
    image: str | None = None
    """The container image. Default: the job's own."""
    storage: str | None = None
    """The file system that its pods mount; needed if a cluster has several."""


NO_OPTIONS = JobOptions()
"""All defaults."""
