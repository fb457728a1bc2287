"""How the resources of two runs of a program differ."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.fleet.registration import Registration


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A resource that differs between two plans."""

    operation: str
    """``create``, ``update`` or ``delete``. Whether AWS replaces a resource, only `pulumi preview` shows."""
    type: str
    name: str
    urn: str
    inputs: tuple[str, ...] = ()
    """The top-level inputs that differ."""


def resource_changes(before: Iterable[Registration], after: Iterable[Registration]) -> Iterator[ResourceChange]:
    """The resources that only one of two runs registers, and those with other inputs."""
    was, now = ({each.urn: each for each in several} for several in (before, after))
    for urn, gone in was.items():
        if urn not in now:
            yield ResourceChange("delete", gone.type, gone.name, urn)
    for urn, each in now.items():
        if urn not in was:
            yield ResourceChange("create", each.type, each.name, urn)
            continue
        earlier, inputs = was[urn].inputs, each.inputs
        if differing := tuple(key for key in {**earlier, **inputs} if earlier.get(key) != inputs.get(key)):
            yield ResourceChange("update", each.type, each.name, urn, differing)
