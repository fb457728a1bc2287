"""What of a rehearsal on Slurm is played, not run."""

from collections.abc import Iterator

from muster.rehearsal.outcome import StandIn
from muster.rehearsal.slurm.configuration import Configuration
from muster.rehearsal.slurm.script import Script


def of(configuration: Configuration, script: Script) -> tuple[StandIn, ...]:
    """All of it."""
    return tuple(_of(configuration, script))


def _of(configuration: Configuration, script: Script) -> Iterator[StandIn]:
    yield StandIn(
        script.name or "the script's commands",
        "the script's options over a body that only waits: no srun, no container, no program of it runs",
        "it would run here, on a machine without its devices, its images and its file systems",
    )
    yield StandIn(
        "the nodes",
        "a slurmd each, on this machine, told the sizes of the plan",
        "EC2 instances are what is being planned",
    )
    if any(line.gpus for line in configuration.lines):
        yield StandIn("GPUs", "empty files that slurmd counts", "the nodes are not there")
    if any(not line.static for line in configuration.lines):
        yield StandIn(
            "ResumeProgram, SuspendProgram",
            "programs that start a slurmd at once, and never stop one",
            "ParallelCluster's call EC2",
        )
    yield StandIn(
        "clustermgtd",
        "what it does for a node that is lost, in the drills alone",
        "it is a part of ParallelCluster's head node and calls EC2",
    )
