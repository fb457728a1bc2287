"""Why a job that Slurm has taken waits, by Slurm's reason."""

from collections.abc import Mapping

from muster.rehearsal.outcome import Cause
from muster.rehearsal.slurm.configuration import Configuration

_KNOWN: Mapping[str, tuple[str, str, str]] = {
    "Resources": (
        "queue-full",
        "other jobs have the nodes that it wants",
        "wait for them to end, or cancel one (`squeue`, `scancel`); {growth}",
    ),
    "Nodes_required_for_job_are_DOWN": (
        "nodes-down",
        "too few nodes of the queue are up for it",
        "wait for clustermgtd, which replaces them where EC2 has the capacity",
    ),
    "ReqNodeNotAvail": (
        "nodes-down",
        "nodes that it names are not up",
        "wait for clustermgtd, which replaces them where EC2 has the capacity, or leave --nodelist out",
    ),
    "DependencyNeverSatisfied": (
        "waits-for-other-jobs",
        "it waits for jobs (--dependency) that Slurm does not know, and would for ever",
        "leave --dependency out, or name a job that is there",
    ),
    "Dependency": (
        "waits-for-other-jobs",
        "it waits for other jobs (--dependency), which a rehearsal does not have",
        "leave --dependency out for the rehearsal",
    ),
    "JobHeldUser": (
        "held",
        "it is held (--hold) until somebody releases it",
        "leave --hold out, or `scontrol release` it",
    ),
    "BeginTime": ("begins-later", "it begins only at a later time", "leave --begin out for the rehearsal"),
}
"""How Slurm's reason begins of a job that waits -> a cause's id, what it means, and what to do."""


def waits(reason: str, configuration: Configuration, queue: str) -> Cause:
    """Why a job that Slurm has taken does not run."""
    known = next((each for start, each in _KNOWN.items() if reason.startswith(start)), None)
    if known is None:
        return Cause("slurm-waits", f"Slurm lets it wait: {reason}", "see that reason in squeue's manual")
    partition = next((each for each in configuration.partitions if each.name == queue), configuration.partitions[0])
    where = f"queues.{partition.name}.groups.{partition.lines[0].group}.nodes"
    cause, said, remedy = known
    return Cause(cause, said, remedy.format(growth=f"or raise {where}"), where if cause == "queue-full" else "")
