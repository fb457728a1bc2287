"""Where a job's files are: on the shared file system, or on the node's own disks."""

from muster.fleet.derive.slurm import APPS, SCRATCH
from muster.fleet.slurm_blueprint import SlurmBlueprint, SlurmGroup
from muster.jobs import storage
from muster.jobs.ask import Ask

TEMPORARY = "/tmp"  # noqa: S108  (on a node that has no disks of its own)


def shared(blueprint: SlurmBlueprint, ask: Ask) -> str:
    """Where the file system is that is asked for, else the only one.

    Raises:
        DoesNotFit: there is none, or there are several.
    """
    return f"/{storage.chosen(blueprint, ask)}"


def shared_if_any(blueprint: SlurmBlueprint, ask: Ask) -> str | None:
    """The same, of a job that can do without: None where the cluster has no file system.

    Raises:
        DoesNotFit: one was asked for that is not there, or there are several.
    """
    return shared(blueprint, ask) if blueprint.storage or ask.storage is not None else None


def of_programs(folder: str | None) -> str:
    """Where images and programs are: the file system, else what the head node exports."""
    return folder or f"/{APPS}"


def local(group: SlurmGroup) -> str | None:
    """The node's own NVMe disks, where it has any."""
    return SCRATCH if group.node.hardware.nvme_gb else None


def mounts(*folders: str | None) -> str:
    """Of a container: these, each where it is outside."""
    return ",".join(f"{each}:{each}" for each in folders if each)
