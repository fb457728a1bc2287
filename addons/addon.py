"""What an add-on is, and what of the nodes its values are derived from. Pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from addons.workload import JobKind, Workload
from muster.contract import NodeGroupOutput
from muster.fleet.ami import plugin_in_image
from muster.fleet.blueprint import Blueprint
from muster.fleet.resources import Taint


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of one group, as an add-on sees them."""

    group: str
    instance: str
    offers: frozenset[str]
    taints: frozenset[Taint]
    built_in: frozenset[str] = frozenset()
    """What of it the image's own plugin offers: another one beside it would take the devices from it."""

    @classmethod
    def of_blueprint(cls, blueprint: Blueprint) -> "tuple[Nodes, ...]":
        """The groups of a blueprint."""
        return tuple(
            cls(
                group.name,
                group.described.instance,
                offers := frozenset(group.node.offers),
                group.node_group.taints,
                plugin_in_image(group.described.image.family, offers),
            )
            for group in blueprint.groups
        )

    @classmethod
    def of_contract(cls, groups: Mapping[str, NodeGroupOutput]) -> "tuple[Nodes, ...]":
        """The groups that another stack exports."""
        return tuple(
            cls(
                name,
                group.instance_type,
                offers := frozenset(group.offers),
                frozenset(Taint(taint.key, taint.value, taint.effect) for taint in group.taints),
                plugin_in_image(group.image_family, offers),
            )
            for name, group in groups.items()
        )


Values = Callable[[tuple[Nodes, ...]], dict[str, Any]]
"""Served nodes -> chart values."""

Workloads = Callable[[Mapping[str, Any]], tuple[Workload, ...]]
"""Chart values, ours with the user's over them -> what the add-on runs; for the rest the chart's defaults hold."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A Helm chart."""

    repository: str
    """The address of its index, or ``oci://`` and the registry's."""
    name: str
    values: Values

    @property
    def in_registry(self) -> bool:
        """Whether it is an OCI artefact: it is then named whole, there is no index."""
        return self.repository.startswith("oci://")


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that has no chart. `{version}` in the address stands for the version."""

    address: str
    images: Mapping[str, str] = field(default_factory=dict)
    """Deployment -> image (`{number}` is the version without its v), where the manifest itself names a moving tag."""

    def address_of(self, version: str) -> str:
        """Where that version is."""
        return self.address.format(version=version)

    def images_of(self, version: str) -> dict[str, str]:
        """Deployment -> image, of that version."""
        return {name: image.format(number=version.removeprefix("v")) for name, image in self.images.items()}


@dataclass(frozen=True, slots=True)
class Addon:
    """One add-on of the catalogue."""

    name: str
    namespace: str
    source: Chart | Manifest
    reason: str
    """Why a cluster has it."""
    workloads: Workloads
    serves: str | None = None
    """The resource it makes nodes offer; it runs on the nodes that have it. None for operators. Which of its workloads
    it is that serves it, that one says."""
    runs: tuple[JobKind, ...] = ()
    """The jobs an operator runs."""

    def served(self, nodes: Iterable[Nodes]) -> tuple[Nodes, ...]:
        """The nodes it is there for."""
        return tuple(each for each in nodes if self.serves in each.offers - each.built_in)


_NOBODY = ["none"]
"""Of an add-on that serves no node: no instance type is called so. An affinity to an empty list is refused by the API
server."""


def instances(nodes: Iterable[Nodes]) -> list[str]:
    """Instance types, sorted, each once; never empty."""
    return sorted({each.instance for each in nodes}) or _NOBODY


def groups(nodes: Iterable[Nodes]) -> list[str]:
    """Names of groups, sorted; never empty."""
    return sorted(each.group for each in nodes) or _NOBODY


def tolerations(nodes: Iterable[Nodes]) -> list[dict[str, str]]:
    """One toleration for every taint of these nodes. `Exists`, without an effect: a device plugin stays where its
    devices are, whatever the taint's value, also while the node is drained."""
    return [
        {"key": key, "operator": "Exists"} for key in sorted({taint.key for each in nodes for taint in each.taints})
    ]
