"""What is on the control plane at a moment, as the explanation of a waiting pod needs it. Pure data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from muster.fleet.blueprint import Blueprint
from muster.fleet.matching import Json
from muster.fleet.resources import Taint
from muster.rehearsal.outcome import Amount


@dataclass(frozen=True, slots=True)
class LiveNode:
    """A node, or one that its group could have."""

    name: str
    group: str
    instance: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    amounts: Mapping[str, Amount]
    """Everything that pods may ask for: devices, huge pages, ``cpu``, ``memory``, ``pods``."""

    def planned(self, resource: str) -> int:
        """What it offers once everything works."""
        amount = self.amounts.get(resource)
        return amount.planned if amount else 0

    def offered(self, resource: str) -> int:
        """What it offers now."""
        amount = self.amounts.get(resource)
        return amount.offered if amount else 0

    def used(self, resource: str) -> int:
        """What of that is taken."""
        amount = self.amounts.get(resource)
        return amount.used if amount else 0

    def free(self, resource: str) -> int:
        """What is left of it."""
        return self.offered(resource) - self.used(resource)


@dataclass(frozen=True, slots=True)
class Server:
    """A device plugin that is installed."""

    addon: str
    pod: Json
    """The spec of its pods."""
    own_values: frozenset[str] = frozenset()
    """The keys of its values that the description sets itself."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The nodes, and who serves their devices."""

    blueprint: Blueprint
    nodes: tuple[LiveNode, ...]
    absent: tuple[LiveNode, ...] = ()
    """One node of each group that has none."""
    lost: tuple[LiveNode, ...] = ()
    """Nodes that a drill has taken away."""
    servers: Mapping[str, tuple[Server, ...]] = field(default_factory=dict)
    """Resource -> the plugins that serve it."""
    lost_zone: str = ""
    """A zone that a drill has taken away with all its nodes."""

    def resources(self) -> frozenset[str]:
        """Every resource that some node has."""
        return frozenset(
            resource for node in (*self.nodes, *self.absent) for resource in node.amounts if node.planned(resource)
        )


def groups(nodes: Iterable[LiveNode]) -> tuple[str, ...]:
    """The groups of these nodes, each once, in order."""
    return tuple(dict.fromkeys(node.group for node in nodes))
