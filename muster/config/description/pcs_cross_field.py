"""Checks of a cluster on AWS PCS that read several keys: names and the default queue."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.cross_field import existing_lustre, mount_fault, system_mounts
from muster.config.description.slurm_cross_field import default_queue_faults, group_name_faults
from muster.finding import KeyPath
from muster.hardware.catalogue import UnknownInstance, hardware

_Fault = tuple[KeyPath, str, str]


def pcs_faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Faults in names, and a default queue that does not exist or is missing."""
    queues = {name: queue for name, queue in _block(raw, "queues").items() if isinstance(queue, Mapping)}
    yield from group_name_faults(queues)
    yield from default_queue_faults(raw, queues)
    for queue, block in queues.items():
        for name, group in _block(block, "groups").items():
            if isinstance(group, Mapping) and group.get("efa") is True and not _has_efa(group.get("instance")):
                got = f"{group.get('instance')} does not support EFA"
                yield ("queues", queue, "groups", name, "efa"), got, "remove efa, or choose a type with EFA"
    for name in _block(raw, "login-nodes"):
        for queue, block in queues.items():
            if name in _block(block, "groups"):
                got = f"queue '{queue}' also has a group '{name}', but names of groups must be unique in the cluster"
                yield ("login-nodes", name), got, "give one of them another name"
    if "home" in _block(raw, "storage"):
        yield mount_fault("home")


def _has_efa(instance: Any) -> bool:
    """Whether an instance type supports EFA; True for one that is not known."""
    try:
        return hardware(str(instance)).max_efa > 0
    except UnknownInstance:
        return True


def _block(raw: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    block = raw.get(key)
    return block if isinstance(block, Mapping) else {}


CHECKS = (pcs_faults, system_mounts, existing_lustre)
