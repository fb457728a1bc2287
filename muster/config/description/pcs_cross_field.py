"""Checks of a cluster on AWS PCS that read several keys: names and the default queue."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.cross_field import existing_lustre
from muster.config.description.slurm_cross_field import default_queue_faults, group_name_faults
from muster.finding import KeyPath

_Fault = tuple[KeyPath, str, str]
_RESERVED = frozenset(
    [
        "bin",
        "boot",
        "dev",
        "etc",
        "home",
        "lib",
        "lib64",
        "opt",
        "proc",
        "root",
        "run",
        "sbin",
        "sys",
        "tmp",
        "usr",
        "var",
    ]
)
"""Directories that the operating system uses. The name of a file system is its mount point."""


def pcs_faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Faults in names, and a default queue that does not exist or is missing."""
    queues = {name: queue for name, queue in _block(raw, "queues").items() if isinstance(queue, Mapping)}
    yield from group_name_faults(queues)
    yield from default_queue_faults(raw, queues)
    for name in _block(raw, "login-nodes"):
        for queue, block in queues.items():
            if name in _block(block, "groups"):
                got = f"queue '{queue}' also has a group '{name}', but names of groups must be unique in the cluster"
                yield ("login-nodes", name), got, "give one of them another name"
    for name in _block(raw, "storage"):
        if name in _RESERVED:
            got = f"nodes would mount the file system at /{name}, which the operating system uses"
            yield ("storage", name), got, "give the file system another name, as in fsx"


def _block(raw: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    block = raw.get(key)
    return block if isinstance(block, Mapping) else {}


CHECKS = (pcs_faults, existing_lustre)
