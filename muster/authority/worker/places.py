"""Where in a configuration each object of the package's model stands."""

from collections.abc import Iterator, Mapping
from typing import Any

from pcluster.config.common import Resource
from pcluster.utils import to_pascal_case

from muster.authority.worker.faults import Path

_KEYS = {"queues": "SlurmQueues", "settings": "SlurmSettings"}
"""Attributes that are not called as their keys are."""


def resources(top: Resource, configuration: Mapping[str, Any]) -> Iterator[tuple[Resource, Path]]:
    """Every object, those inside first, as the package itself validates them, each with its path."""
    yield from _below(top, configuration, ())


def _below(resource: Resource, said: Any, at: Path) -> Iterator[tuple[Resource, Path]]:
    for name, value in vars(resource).items():
        key = _key(name, said)
        if isinstance(value, Resource):
            yield from _below(value, said[key] if key else said, (*at, key) if key else at)
        elif isinstance(value, list):
            entries = said[key] if key and isinstance(said[key], list) else []
            for index, each in enumerate(value):
                if isinstance(each, Resource) and key and index < len(entries):
                    yield from _below(each, entries[index], (*at, key, index))
                elif isinstance(each, Resource):
                    yield from _below(each, said, at)
    yield resource, at


def _key(name: str, said: Any) -> str | None:
    """The key that an attribute is of; None where the configuration says nothing of it."""
    key = _KEYS.get(name, to_pascal_case(name.removeprefix("_")))
    return key if isinstance(said, dict) and key in said else None


_LEAVES = {
    "capacity_reservation_id": "CapacityReservationId",
    "capacity_reservation_resource_group_arn": "CapacityReservationResourceGroupArn",
    "custom_ami": "CustomAmi",
    "head_node_instance_type": "InstanceType",
    "image": "CustomAmi",
    "image_id": "CustomAmi",
    "instance_type": "InstanceType",
    "key_name": "KeyName",
    "mount_dir": "MountDir",
    "os": "Os",
    "script": "Script",
}
"""Arguments of validators -> the key whose value they are, the tellingest first."""


def narrowed(at: Path, asked: Mapping[str, Any], configuration: Mapping[str, Any]) -> Path:
    """The place of what a validator of a whole block was asked about, where its arguments name it."""
    named = _named(asked, configuration)
    if named[: len(at)] == at and len(named) > len(at):
        at = named
    for argument, key in _LEAVES.items():
        if asked.get(argument) is not None:
            found = next(
                (path for path in _leaves(_value(configuration, at), at) if path[1:] == (key, asked[argument])), None
            )
            if found:
                return found[0]
    return at


def _named(asked: Mapping[str, Any], configuration: Mapping[str, Any]) -> Path:
    """The compute resource or the queue that goes by the names in the arguments; () where there is none."""
    queue, resource = asked.get("queue_name"), asked.get("compute_resource_name")
    for index, each in enumerate(configuration.get("Scheduling", {}).get("SlurmQueues", [])):
        below: Path = ("Scheduling", "SlurmQueues", index)
        for number, inner in enumerate(each.get("ComputeResources", [])):
            if resource is not None and inner.get("Name") == resource and queue in {None, each.get("Name")}:
                return (*below, "ComputeResources", number)
        if queue is not None and each.get("Name") == queue and resource is None:
            return below
    return ()


def _value(configuration: Any, at: Path) -> Any:
    for step in at:
        configuration = configuration[step]
    return configuration


def _leaves(value: Any, at: Path) -> Iterator[tuple[Path, str | int, Any]]:
    """Every plain value below a place: its path, its key, itself."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        if isinstance(each, dict | list):
            yield from _leaves(each, (*at, key))
        else:
            yield (*at, key), key, each
