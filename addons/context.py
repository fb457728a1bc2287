"""The parts of a cluster that the values of add-ons depend on. Pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from muster.addons.image_names import path_of
from muster.blueprint.cluster import Blueprint, Storage
from muster.blueprint.dra import driven_on
from muster.blueprint.gpu_sharing import device_of
from muster.blueprint.group import KubernetesGroup
from muster.blueprint.hyperpod.node_labels import NODE_HEALTH
from muster.blueprint.node import DEVICE_CLASSES
from muster.config.description.addons import KnownChart, Options, OtherChart, in_order, options_of
from muster.config.description.node_group import Purpose
from muster.contract import Cluster, NodeGroupOutput, StorageOutput
from muster.fleet.resources import Taint
from muster.fleet.resources.storage import KINDS, FileSystemKind
from muster.hardware.ami import plugin_in_image
from muster.hardware.hyperpod_types import ML


@dataclass(frozen=True, slots=True)
class GroupNodes:
    """The nodes of one group."""

    group: str
    instance: str
    """The value of the nodes' label `node.kubernetes.io/instance-type`: on HyperPod ``ml.p5.48xlarge``."""
    offers: frozenset[str]
    """Devices and huge pages, also the devices that DRA drivers offer."""
    taints: frozenset[Taint]
    built_in: frozenset[str] = frozenset()
    """The part of `offers` that the image's plugin offers: a second plugin would take the devices from it."""
    purpose: str = Purpose.TRAINING.value
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    most: int = 1
    """Nodes at most."""
    amounts: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    """What one node has for pods, by resource: ``{"cpu": "191450m", "nvidia.com/gpu": 8}``."""
    driven: frozenset[str] = frozenset()
    """The part of `offers` that DRA drivers offer: pods claim these devices."""
    claims: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The number of devices of one node that pods claim, by the resource in `driven`."""
    reserved: bool = False
    """Whether Karpenter creates them in reservations or Capacity Blocks."""

    @property
    def hyperpod(self) -> bool:
        """Whether HyperPod runs them: its instance types are called ``ml.``."""
        return self.instance.startswith(ML)

    @property
    def ec2_type(self) -> str:
        """Their instance type, by EC2's name."""
        return self.instance.removeprefix(ML)

    @classmethod
    def of_group(cls, group: KubernetesGroup) -> "GroupNodes":
        """A group of a blueprint."""
        offers = frozenset(map(device_of, group.node.offers))
        driven = frozenset(each for each, name in DEVICE_CLASSES.items() if name in group.node.claims)
        return cls(
            group.name,
            group.described.instance_type,
            offers | driven,
            group.taints,
            plugin_in_image(group.described.family, offers, of_auto_mode=group.described.by_auto_mode),
            group.described.purpose.value,
            dict(sorted(group.labels.items())),
            group.described.nodes_now.max,
            {**group.node.allocatable_resources, **group.node.offers},
            driven,
            _by_resource(group.node.claims),
            group.described.by_karpenter and group.described.capacity.held is not None,
        )

    @classmethod
    def of_output(cls, name: str, group: NodeGroupOutput) -> "GroupNodes":
        """A group that another stack exports."""
        offers = frozenset(map(device_of, group.offers))
        driven = frozenset(each for each, name in DEVICE_CLASSES.items() if name in group.claims)
        return cls(
            name,
            group.instance_type,
            offers | driven,
            frozenset(Taint(taint.key, taint.value, taint.effect) for taint in group.taints),
            plugin_in_image(group.image_family, offers),
            group.purpose,
            group.labels,
            group.count.max,
            {**group.allocatable, **group.offers},
            driven,
            _by_resource(group.claims),
            group.managed is False and not group.auto_scaling_group and group.capacity.held,
        )

    def with_drivers(self, chosen: Mapping[str, Options]) -> "GroupNodes":
        """The same nodes, with the DRA drivers among these add-ons."""
        driven = self.driven | (self.offers & driven_on(chosen, self.group, self.built_in))
        amounts = {resource: amount for resource, amount in self.amounts.items() if device_of(resource) not in driven}
        claims = {each: int(self.amounts[each]) for each in driven if each in self.amounts}  # number: an amount
        return replace(
            self, driven=driven, built_in=self.built_in - driven, amounts=amounts, claims={**self.claims, **claims}
        )


def _by_resource(claims: Mapping[str, int]) -> dict[str, int]:
    """The numbers of a node's claimable devices, by the extended resource of their device plugin."""
    return {each: claims[name] for each, name in DEVICE_CLASSES.items() if name in claims}


@dataclass(frozen=True, slots=True)
class Volume:
    """A file system, or a bucket, that pods can mount. While it is installed, its texts may be outputs of Pulumi."""

    name: str
    kind: FileSystemKind
    file_system: Any
    """Its id; of a bucket, the name."""
    dns_name: Any
    mount_name: Any
    capacity: str | None
    """As a Kubernetes quantity, ``4800Gi``; None for an existing one, and for one that grows."""
    writes: bool = True

    @classmethod
    def of_storage(cls, storage: Storage) -> "Volume":
        """One of a blueprint. Values that AWS sets at creation have placeholders (``id of scratch``)."""
        known, name = storage.file_system, storage.name
        mount_name = f"mount name of {name}" if known.mount_name is None else known.mount_name
        return cls(
            name,
            storage.kind,
            known.id or f"id of {name}",
            known.dns_name or f"DNS name of {name}",
            mount_name,
            None if known.existing or known.size is None else f"{known.size}Gi",
            getattr(known, "writes", True),
        )

    @classmethod
    def of_output(cls, name: str, storage: StorageOutput) -> "Volume":
        """A volume that another stack exports."""
        kind = next(each for each in KINDS.values() if each.word == storage.kind)
        known = (storage.file_system, storage.dns_name, storage.mount_name, storage.capacity)
        return cls(name, kind, *known, storage.write is not False)


@dataclass(frozen=True, slots=True)
class Mirrors:
    """Where charts and images come from, where the cluster does not reach their registries."""

    charts: str | None = None
    """The address of an index, or ``oci://`` and a registry's."""
    images: str | None = None
    """A registry, with or without a path."""

    def image(self, reference: str) -> str:
        """The image's name in the mirror: the mirror's registry before its name without a host."""
        return reference if self.images is None else f"{self.images}/{path_of(reference)}"


@dataclass(frozen=True, slots=True)
class AddonContext:
    """A cluster, and the add-ons that are chosen for it."""

    cluster: Any
    """Its name in AWS; while it is installed, an output of Pulumi."""
    region: str
    kubernetes: str
    """``1.35``."""
    nodes: tuple[GroupNodes, ...]
    """Sorted by group: outputs have no order, and the values must be the same from outputs as from a blueprint."""
    chosen: Mapping[str, Options]
    """Add-on -> its options."""
    charts: Mapping[str, OtherChart] = field(default_factory=dict)
    """Release -> another chart."""
    volumes: tuple[Volume, ...] = ()
    mirrors: Mirrors = Mirrors()
    eks_addons: tuple[str, ...] = ()
    """The names of the EKS add-ons that the cluster comes with."""
    elsewhere: frozenset[str] = frozenset()
    """The part of `chosen`, and of `charts` (``charts.RELEASE``), that another stack installs on this cluster."""

    @classmethod
    def of_blueprint(cls, blueprint: Blueprint) -> "AddonContext":
        """The cluster of a blueprint."""
        described = blueprint.described
        return cls(
            blueprint.cluster_name,
            blueprint.region,
            described.kubernetes,
            tuple(GroupNodes.of_group(each) for each in sorted(blueprint.groups, key=lambda each: each.name)),
            described.addons.chosen,
            # The chart of a release of another stack is not known: rules judge the release by its name.
            {name: each for name, each in described.addons.charts.items() if not isinstance(each, KnownChart)},
            tuple(Volume.of_storage(each) for each in sorted(blueprint.storage, key=lambda each: each.name)),
            Mirrors(described.chart_mirror, described.image_mirror),
            tuple(sorted(str(each.name) for each in blueprint.eks_addons)),
            frozenset(blueprint.elsewhere),
        )

    @classmethod
    def of_contract(
        cls,
        cluster: Cluster,
        chosen: Mapping[str, Options],
        charts: Mapping[str, OtherChart] | None = None,
        mirrors: Mirrors | None = None,
    ) -> "AddonContext":
        """The cluster that another stack exports, with this stack's add-ons. Names and versions of the other stack's
        add-ons are known."""
        theirs = {name: each for name, each in cluster.addons.items() if name not in chosen}
        nodes = (GroupNodes.of_output(name, group) for name, group in sorted(cluster.node_groups.items()))
        return cls(
            cluster.cluster.name,
            cluster.region,
            cluster.cluster.version,
            tuple(each.with_drivers(chosen) for each in nodes),
            in_order({**chosen, **options_of({name: each.version for name, each in theirs.items()})}),
            charts or {},
            tuple(Volume.of_output(name, each) for name, each in sorted(cluster.storage.items())),
            mirrors or Mirrors(),
            tuple(sorted(cluster.eks_addons)),
            frozenset(theirs),
        )

    def offering(self, resource: str | None) -> tuple[GroupNodes, ...]:
        """The nodes that have a device and need a device plugin to offer it."""
        return tuple(each for each in self.nodes if resource in each.offers - each.built_in - each.driven)

    def driven(self, resource: str) -> tuple[GroupNodes, ...]:
        """The nodes whose devices of this kind a DRA driver offers."""
        return tuple(each for each in self.nodes if resource in each.driven)

    @property
    def hyperpod(self) -> bool:
        """Whether HyperPod runs some of its nodes."""
        return any(each.hyperpod for each in self.nodes)

    @property
    def system(self) -> tuple[GroupNodes, ...]:
        """The nodes that operators are for."""
        return tuple(each for each in self.nodes if each.purpose == Purpose.SYSTEM.value)

    def having(self, resource: str) -> tuple[GroupNodes, ...]:
        """The nodes that have a device, also where their image offers it."""
        return tuple(each for each in self.nodes if resource in each.offers)

    def other_charts(self, *, before_addons: bool) -> dict[str, OtherChart]:
        """The charts of the description that are installed before, or after, the add-ons."""
        return {name: each for name, each in self.charts.items() if each.before_addons is before_addons}

    def has(self, name: str) -> bool:
        """Whether the cluster has one of Muster's add-ons, whichever stack installs it."""
        return name in self.chosen

    @property
    def own(self) -> "AddonContext":
        """The same, with the add-ons of this stack only."""
        return self._only(lambda name, _: name not in self.elsewhere)

    def applied_by(self, controller: str | None) -> "AddonContext":
        """The same, with the add-ons that this GitOps tool applies; for None, those that Pulumi installs."""
        return self._only(lambda _, given: given.controller == controller)

    def _only(self, wanted: Callable[[str, Options | OtherChart], bool]) -> "AddonContext":
        return replace(
            self,
            chosen={name: options for name, options in self.chosen.items() if wanted(name, options)},
            charts={name: chart for name, chart in self.charts.items() if wanted(f"charts.{name}", chart)},
        )


_NO_VALUE = ["none"]
"""No instance type and no group has this name: the API server refuses an affinity to an empty list."""


def instance_types(nodes: Iterable[GroupNodes]) -> list[str]:
    """Instance types, sorted, each once; never empty."""
    return sorted({each.instance for each in nodes}) or _NO_VALUE


def group_names(nodes: Iterable[GroupNodes]) -> list[str]:
    """Names of groups, sorted; never empty."""
    return sorted(each.group for each in nodes) or _NO_VALUE


HEALTH_TAINT = NODE_HEALTH
"""The key of HyperPod's taint, on nodes that it checks or is about to replace. Its chart's readme
(sagemaker-hyperpod-cli 011ca92) wants every plugin to tolerate it: a deep health check uses the devices that the plugin
offers."""


def tolerations(nodes: Iterable[GroupNodes]) -> list[dict[str, str]]:
    """One toleration for each taint of these nodes, HyperPod's health taint included. `Exists`, without an effect: a
    device plugin stays on its node whatever the taint's value, also while the node is drained."""
    listed = tuple(nodes)
    keys = {taint.key for each in listed for taint in each.taints} | {HEALTH_TAINT for each in listed if each.hyperpod}
    return [{"key": key, "operator": "Exists"} for key in sorted(keys)]


def system_tolerations(context: AddonContext) -> list[dict[str, str]]:
    """One toleration for each taint of the system groups, with its effect: an operator leaves a node that is
    drained."""
    taints = sorted({(taint.key, taint.value, taint.effect) for each in context.system for taint in each.taints})
    return [{"key": key, "operator": "Equal", "value": value, "effect": effect} for key, value, effect in taints]
