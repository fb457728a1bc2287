"""The control plane at one moment. Pure data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from muster.blueprint.cluster import Blueprint
from muster.rehearsal.outcome import Amount
from muster.scheduling.constraints import PodConstraints, PodSpec
from muster.scheduling.taints import Taint

_NONE = Amount(0, 0, 0)


@dataclass(frozen=True, slots=True)
class LiveNode:
    """A node, or a node that its group could have."""

    name: str
    group: str
    instance: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    amounts: Mapping[str, Amount]
    """Resource -> amount that pods may request: devices, huge pages, ``cpu``, ``memory``, ``pods``."""

    def planned(self, resource: str) -> int:
        """The amount that it offers once everything works."""
        return self.amounts.get(resource, _NONE).planned

    def offered(self, resource: str) -> int:
        """The amount that it offers now."""
        return self.amounts.get(resource, _NONE).offered

    def used(self, resource: str) -> int:
        """The amount in use."""
        return self.amounts.get(resource, _NONE).used

    def free(self, resource: str) -> int:
        """The free amount."""
        return self.offered(resource) - self.used(resource)


@dataclass(frozen=True, slots=True)
class InstalledPlugin:
    """A device plugin that is installed."""

    addon: str
    pod: PodSpec
    """The spec of its pods."""
    own_values: frozenset[str] = frozenset()
    """The keys of its values that the description sets."""

    @property
    def constraints(self) -> PodConstraints:
        """What its pods require of their nodes."""
        return PodConstraints.of_daemon_set(self.pod)


@dataclass(frozen=True, slots=True)
class ClusterSnapshot:
    """The nodes, and the plugins that serve their devices."""

    blueprint: Blueprint
    nodes: tuple[LiveNode, ...]
    absent: tuple[LiveNode, ...] = ()
    """One node of each group that has none."""
    lost: tuple[LiveNode, ...] = ()
    """Nodes that a drill has removed."""
    servers: Mapping[str, tuple[InstalledPlugin, ...]] = field(default_factory=dict)
    """Resource -> the plugins that serve it."""
