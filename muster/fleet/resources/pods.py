"""Pods: what any Kubernetes object makes of its templates, as far as rules read it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from muster.fleet.resources.place import Place, Ref
from muster.fleet.unknown import U


@dataclass(frozen=True, slots=True)
class PodTemplate(Generic[U]):
    """One kind of pod that an object makes."""

    path: str
    """Where the pod's spec stands in the object: ``spec.template.spec``."""
    spec: Mapping[str, Any] | U = field(hash=False)
    """As Kubernetes has it; anything inside may be unknown."""
    pods: int | U = 1
    """How many pods are made of it to work together."""


@dataclass(frozen=True, slots=True)
class PodOwner(Generic[U]):
    """A Kubernetes object that is a pod, or makes pods: a Deployment, a Job, a PyTorchJob."""

    ref: Ref
    kind: str
    """``PyTorchJob``."""
    templates: tuple[PodTemplate[U], ...]
    """In the order they stand in."""
    place: Place = field(compare=False)
    name: str | None | U = None
    """As Kubernetes has it; None where the engine makes one up of the resource's."""
