"""The options of a reference job."""

from dataclasses import dataclass

from muster.size import Size


@dataclass(frozen=True, slots=True)
class JobOptions:
    """How a job is wanted; empty: the one group that fits, with the nodes it starts with, each taken whole."""

    group: str | None = None
    """The group of the workers, needed where several fit."""
    nodes: int | None = None
    """How many workers, one a node."""
    beyond_the_group: bool = False
    """More workers than the group may ever have are made all the same: a rehearsal lets the scheduler answer."""
    devices: int | None = None
    """Accelerators of a worker: GPUs, or Neuron devices. All of a node's without it."""
    efa: int | None = None
    """EFA interfaces of a worker. All of a node's without it; of a part of the accelerators the same part."""
    memory: Size | None = None
    """A worker's memory."""
    huge_pages: Size | None = None
    """A worker's huge pages; none asks for none."""
    queue: str | None = None
    """The queue it is sent to: a LocalQueue of Kueue's, of a Volcano job a Queue of Volcano's."""
    image: str | None = None
    """The container image, in place of the job's own."""
    storage: str | None = None
    """The file system that its pods mount, needed where a cluster has several."""


NO_OPTIONS = JobOptions()
"""Nothing in particular."""
