"""Checks of a cluster on AWS PCS that read several keys: names and the default queue."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.cross_field import existing_lustre, mount_fault, system_mounts
from muster.config.description.parallelcluster_cross_field import default_queue_faults, group_name_faults
from muster.finding import KeyPath
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.size import Size

_Fault = tuple[KeyPath, str, str]


def pcs_faults(raw: Mapping[Any, Any]) -> Iterator[_Fault]:
    """Faults in names, and a default queue that does not exist or is missing."""
    queues = {name: queue for name, queue in _block(raw, "queues").items() if isinstance(queue, Mapping)}
    yield from group_name_faults(queues)
    yield from default_queue_faults(raw, queues)
    for queue, block in queues.items():
        for name, group in _block(block, "groups").items():
            if isinstance(group, Mapping):
                yield from ((("queues", queue, "groups", name, *at), got, fix) for at, got, fix in _of_group(group))
    for name in _block(raw, "login-nodes"):
        for queue, block in queues.items():
            if name in _block(block, "groups"):
                got = f"queue '{queue}' also has a group '{name}', but names of groups must be unique in the cluster"
                yield ("login-nodes", name), got, "give one of them another name"
    if "home" in _block(raw, "storage"):
        yield mount_fault("home")


def _of_group(group: Mapping[Any, Any]) -> Iterator[_Fault]:
    """What the instance type of a group does not have; places are below the group. Slurm drains a node that has less
    memory than its configuration states (slurm.conf, RealMemory)."""
    try:
        machine = hardware(str(group.get("instance")))
    except UnknownInstance:
        return
    if group.get("efa") is True and not machine.max_efa:
        yield ("efa",), f"{machine.instance} does not support EFA", "remove efa, or choose a type with EFA"
    try:
        memory = Size.parse(str(group.get("memory")))
    except ValueError:
        return
    if memory.mib > machine.memory_mib:
        got = f"jobs cannot use {memory}: {machine.instance} has {Size(machine.memory_mib)}"
        fix = f"write at most {Size(machine.memory_mib * 95 // 100)}, or remove it: AWS PCS then sets the memory"
        yield ("memory",), got, fix


def _block(raw: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    block = raw.get(key)
    return block if isinstance(block, Mapping) else {}


CHECKS = (pcs_faults, system_mounts, existing_lustre)
