"""How Slurm is set."""

from enum import StrEnum

from pydantic import StrictBool, StrictInt

from muster.fleet.description.identifiers import QueueName
from muster.fleet.description.part import Change, Part, field


class OnUpdate(StrEnum):
    """What becomes of nodes that run when an update changes their queue (`QueueUpdateStrategy`)."""

    DRAIN = "drain"
    """Jobs end first; then their nodes are replaced."""
    TERMINATE = "terminate"
    """Nodes are replaced at once: their jobs are lost, or requeued."""


class SlurmSettings(Part):
    """Settings of Slurm for the whole cluster."""

    default_queue: QueueName | None = field(
        "The queue of jobs that name none; the first by name without it.", Change.IN_PLACE, default=None
    )
    idle_minutes: StrictInt = field(
        "After how long a dynamic node without a job goes; -1 keeps it.", Change.FLEET_STOP, default=60, ge=-1
    )
    on_update: OnUpdate = field(
        "drain (jobs end first) or terminate: what becomes of nodes when their queue changes.",
        Change.IN_PLACE,
        default=OnUpdate.DRAIN,
    )
    memory_scheduling: StrictBool = field(
        "Whether Slurm counts memory, so that jobs must say how much they want.", Change.FLEET_STOP, default=False
    )
    settings: dict[str, str | StrictInt] = field(
        "Further lines of slurm.conf: key -> value. ParallelCluster refuses those it sets itself.",
        Change.IN_PLACE,
        default={},
    )
