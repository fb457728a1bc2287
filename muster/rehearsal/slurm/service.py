"""What a rehearsal knows of a service that runs Slurm: its settings of slurm.conf, and the words of its messages."""

from collections.abc import Callable
from dataclasses import dataclass

from muster.rehearsal.outcome import SimulatedPart
from muster.rehearsal.slurm.batch_script import Script


def _no_notes(_script: Script) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmService:
    """A service, and what it does on the nodes of a cluster with Slurm."""

    title: str
    """``ParallelCluster 3.16.1``."""
    slurm: str
    """The version of its Slurm: ``25.11``."""
    settings: tuple[tuple[str, str], ...]
    """What it writes to slurm.conf, beside nodes and partitions."""
    simulated: tuple[SimulatedPart, ...] = ()
    """What a rehearsal simulates of the service."""
    notes: Callable[[Script], tuple[str, ...]] = _no_notes
    """What the reader of a report should know about a script."""
