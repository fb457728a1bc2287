"""The fields of a node that decide which pods may be on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from muster.scheduling.requirements import Labels
from muster.scheduling.taints import Taint, taints_of
from muster.unknown import UnknownType


class Node(Protocol):
    """A node: planned, simulated or observed."""

    @property
    def name(self) -> str | UnknownType:
        """Its name."""

    @property
    def labels(self) -> Labels:
        """All of them."""

    @property
    def taints(self) -> Iterable[Taint]:
        """All of them."""


@dataclass(frozen=True, slots=True)
class KubernetesNode:
    """A node with only the fields that matter here."""

    name: str | UnknownType
    labels: Labels
    taints: Iterable[Taint] = ()

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """Reads a node from the API server's JSON."""
        metadata = manifest["metadata"]
        return cls(metadata["name"], metadata.get("labels") or {}, taints_of(manifest["spec"]))
