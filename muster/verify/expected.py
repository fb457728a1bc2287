"""The nodes, plugins and operators that a blueprint plans. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.addons.context import AddonContext
from muster.addons.installation_order import install_order
from muster.addons.values import runs_of, values_of, workloads_of
from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup as PlannedGroup
from muster.blueprint.hyperpod.node_labels import identity_labels
from muster.blueprint.node import Node
from muster.fleet.resources import Taint
from muster.hardware.ami import plugin_in_image

NVIDIA = "nvidia.com/gpu"


@dataclass(frozen=True, slots=True)
class ExpectedGroup:
    """One group: the number of its nodes, and their properties."""

    name: str
    instance: str
    least: int
    most: int
    start: int
    waits: bool
    """Whether its Capacity Block has not begun, so that it has no nodes."""
    zones: tuple[str, ...]
    """Empty if they are unknown."""
    labels: Mapping[str, str]
    taints: frozenset[Taint]
    node: Node
    """What each of them has and offers."""
    built_in: frozenset[str]
    """The resources that the image's own plugin serves."""
    kubernetes: str
    hyperpod: Mapping[str, str] | None = None
    """The labels that identify its nodes on HyperPod; None elsewhere."""

    @property
    def where(self) -> str:
        """Its place in the description."""
        return f"groups.{self.name}"

    @property
    def offers(self) -> dict[str, int]:
        """Resource -> the number that a node offers once every plugin runs."""
        return {resource: number for served in self.node.devices.values() for resource, number in served.items()}


@dataclass(frozen=True, slots=True)
class ExpectedWorkload:
    """The DaemonSet of a device plugin, or the Deployment of an operator, that the description installs."""

    addon: str
    namespace: str
    name: str
    serves: str = ""
    """The resource that a plugin serves."""
    groups: frozenset[str] = frozenset()
    """The groups whose nodes a plugin serves."""

    @property
    def where(self) -> str:
        """Its place in the description."""
        return f"addons.{self.addon}"

    @property
    def called(self) -> str:
        """``kube-system/nvidia-device-plugin``."""
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True)
class Expectations:
    """Everything."""

    stack: str
    groups: tuple[ExpectedGroup, ...]
    plugins: tuple[ExpectedWorkload, ...]
    operators: tuple[ExpectedWorkload, ...]

    def group(self, name: str | None) -> ExpectedGroup | None:
        """The group with that name."""
        return next((each for each in self.groups if each.name == name), None)


def expected_cluster(blueprint: Blueprint) -> Expectations:
    """The nodes, plugins and operators of a blueprint."""
    context = AddonContext.of_blueprint(blueprint)
    # The names depend on the add-on's values, including the user's, which may rename its objects.
    addons = [turn.addon for turn in install_order(context)]
    given = [(addon, values_of(addon, context)) for addon in addons]
    runs = [(addon, values, each) for addon, values in given for each in workloads_of(addon, values)]
    served = {addon.name: frozenset(each.group for each in addon.served(context)) for addon in addons}
    return Expectations(
        stack=blueprint.stack,
        groups=tuple(_group(blueprint, each) for each in blueprint.groups),
        plugins=tuple(
            ExpectedWorkload(addon.name, each.namespace, each.name, each.serves, served[addon.name])
            for addon, _, each in runs
            if each.serves
        ),
        operators=tuple(
            ExpectedWorkload(addon.name, each.namespace, each.name)
            for addon, values, each in runs
            if runs_of(addon, values) and each.kind == "Deployment"
        ),
    )


def _group(blueprint: Blueprint, group: PlannedGroup) -> ExpectedGroup:
    numbers, block = group.described.nodes_now, group.described.capacity.capacity_block
    waits = block is not None and not block.active
    node = group.node
    return ExpectedGroup(
        name=group.name,
        instance=group.described.instance_type,
        least=numbers.min,
        most=0 if waits else numbers.max,
        start=numbers.start,
        waits=waits,
        zones=blueprint.zones(group),
        labels=dict(group.labels),
        taints=group.taints,
        node=node,
        built_in=plugin_in_image(
            group.described.family, frozenset(node.offers), of_auto_mode=group.described.by_auto_mode
        ),
        kubernetes=blueprint.described.kubernetes,
        hyperpod=identity_labels(blueprint, group.name) if blueprint.described.hyperpod else None,
    )
