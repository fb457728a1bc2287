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
            entries = said[key] if key and isinstance(said[key], list) else None
            for index, each in enumerate(value):
                if isinstance(each, Resource):
                    known = entries is not None and index < len(entries)
                    yield from _below(
                        each, entries[index] if known else said, (*at, key, index) if known and key else at
                    )
    yield resource, at


def _key(name: str, said: Any) -> str | None:
    """The key that an attribute is of; None where the configuration says nothing of it."""
    key = _KEYS.get(name, to_pascal_case(name.removeprefix("_")))
    return key if isinstance(said, dict) and key in said else None


def narrowed(at: Path, asked: Mapping[str, Any], configuration: Mapping[str, Any]) -> Path:
    """The place of what a validator of the whole cluster was asked about, where its arguments name it."""
    if at:
        return at
    queue, resource = asked.get("queue_name"), asked.get("compute_resource_name")
    queues = configuration.get("Scheduling", {}).get("SlurmQueues", [])
    for index, each in enumerate(queues):
        below: Path = ("Scheduling", "SlurmQueues", index)
        for number, inner in enumerate(each.get("ComputeResources", [])):
            if resource is not None and inner.get("Name") == resource and queue in {None, each.get("Name")}:
                return (*below, "ComputeResources", number)
        if queue is not None and each.get("Name") == queue and resource is None:
            return below
    return at
