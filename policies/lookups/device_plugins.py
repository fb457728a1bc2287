"""Device plugins and DRA drivers, the nodes they run on, and the extended resources of groups."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.node import EFA_RESOURCE
from muster.edits import Edit, remove, set_to
from muster.fleet.resources import Addon, Fleet, InstanceGroup, NodeGroup, Ref
from muster.fleet.resources.fleet import Ec2Group, KubernetesGroup, machine
from muster.hardware.ami import plugin_in_image
from muster.hardware.catalogue import Accelerator
from muster.object_cache import cached_by_identity
from muster.plain_data import value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.lookups.chart_contents import DRIVERS, PLUGINS, AddonPart, PartKind, hyperpod_types
from muster.policies.lookups.installed_addons import HYPERPOD_CHARTS, catalogued, parts
from muster.policies.lookups.launch_templates import has_efa
from muster.policies.lookups.machines import image_of, kubernetes_of
from muster.policies.lookups.pod_placement import (
    DISCOVERED_LABELS,
    GPU_PRESENT,
    HYPERPOD,
    LATER_LABELS,
    OF_GPUS,
    NodeKind,
    hyperpod_node_kind,
    node_kinds,
    schedulable,
    untolerated_taints,
)
from muster.policies.lookups.pods import efa_of
from muster.policies.lookups.versions import version_tuple
from muster.scheduling.fit import Schedulable
from muster.unknown import NotKnown, if_known

_LABELLED_SINCE = (1, 35)
"""The first kubelet version with which nodeadm labels nodes with GPUs (amazon-eks-ami,
nodeadm/internal/kubelet/config.go)."""


def own_plugins(resource: str, fleet: Fleet) -> tuple[Addon, ...]:
    """Muster's own plugin for a device in a described cluster, if it is installed."""
    every = ((each, catalogued(each)) for each in fleet.of(Addon) if each.place.described)
    return tuple(each for each, known in every if known and known.serves == resource)


def plugins_without(groups: Iterable[Ec2Group], resource: str, fleet: Fleet) -> tuple[Edit, ...]:
    """The removal of the plugins that serve no node if these groups do not need them."""
    mine = {each.ref for each in groups}
    others = (each for each in fleet.kubernetes_groups if each.ref not in mine)
    if any(if_known(lambda: resource in group_offers(fleet, each)) for each in others):
        return ()
    return tuple(remove(f"/{each.place.resource}") for each in own_plugins(resource, fleet))


def without_efa(groups: Iterable[Ec2Group], fleet: Fleet) -> Edit:
    """The edit for nodes that need no EFA."""
    also = plugins_without(groups, EFA_RESOURCE, fleet)
    return set_to("plain", at="interfaces", in_program="interfaces without EFA", also=also)


def resource_of(what: PartKind) -> str:
    """The device of a plugin or a DRA driver."""
    return PLUGINS[DRIVERS.get(what, what)]


@cached_by_identity(4)
def every_node_kind(fleet: Fleet) -> tuple[NodeKind, ...]:
    """The nodes of a fleet, with labels as if a feature discovery ran. If HyperPod's chart is installed and another
    program creates its cluster, also HyperPod's nodes."""
    elsewhere = not fleet.of(InstanceGroup)
    hyperpod = elsewhere and any(fleet.having(Addon, "chart", each) for each in HYPERPOD_CHARTS)
    return (*node_kinds(fleet), *(hyperpod_node_kind(machine) for machine in (hyperpod_types() if hyperpod else ())))


def nodes_with(resource: str, fleet: Fleet) -> tuple[NodeKind, ...]:
    """The nodes that are known to have devices of a kind."""
    return _by_device(fleet).get(resource, ())


@cached_by_identity(4)
def _by_device(fleet: Fleet) -> Mapping[str, tuple[NodeKind, ...]]:
    nodes = every_node_kind(fleet)
    return {
        each: tuple(spot for spot in nodes if if_known(lambda: offers_device(spot, each, fleet)))
        for each in PLUGINS.values()
    }


@cached_by_identity(4)
def labelled_node_kinds(fleet: Fleet) -> tuple[NodeKind, ...]:
    """The groups' nodes with the labels that the installed add-ons and the kubelet set."""
    features = any(
        _discovers(each) for each in parts(fleet, PartKind.NVIDIA_PLUGIN, PartKind.GPU_DRIVER, PartKind.GPU_TOOLKIT)
    )
    return tuple(_labelled(spot, fleet, features=features) for spot in node_kinds(fleet, OF_GPUS if features else {}))


def labelled_node_kinds_of(group: KubernetesGroup, fleet: Fleet) -> tuple[NodeKind, ...]:
    """The kinds of nodes of one group."""
    return tuple(_by_group(fleet).get(group.ref, ()))


@cached_by_identity(4)
def _by_group(fleet: Fleet) -> Mapping[Ref, list[NodeKind]]:
    found: dict[Ref, list[NodeKind]] = {}
    for spot in labelled_node_kinds(fleet):
        if spot.group is not None:
            found.setdefault(spot.group.ref, []).append(spot)
    return found


def _labelled(spot: NodeKind, fleet: Fleet, *, features: bool) -> NodeKind:
    group = spot.group
    # AWS does not document which labels HyperPod's images set for GPUs.
    if features or spot.machine.accelerator is not Accelerator.GPU or not isinstance(group, NodeGroup):
        return spot
    version = version_tuple(if_known(lambda: kubernetes_of(group, fleet)))
    by_kubelet = version is not None and version >= _LABELLED_SINCE
    known = {GPU_PRESENT: "true", **spot.known_labels} if by_kubelet else spot.known_labels
    # All add-ons of a described cluster are known: a label that none of them sets is absent.
    later = LATER_LABELS if spot.whole and group.purpose is not None else LATER_LABELS + DISCOVERED_LABELS
    return replace(spot, known_labels=known, later=later)


def _discovers(part: AddonPart) -> bool:
    """Whether a part's add-on includes Node Feature Discovery. In HyperPod's chart, which contains both charts, their
    values are below the part's key."""
    values = part.addon.values if hasattr(part.addon, "values") else {}
    _, *within = part.at.split(".")
    if part.what is not PartKind.NVIDIA_PLUGIN or part.at.endswith("devicePlugin"):
        return value_at(values, *within[:-1], "nfd", "enabled") is not False
    enabled = value_at(values, *within, "nfd", "enabled")
    return enabled is True or (enabled is None and value_at(values, *within, "gfd", "enabled") is True)


_HYPERPODS = "HyperPod's nodes"


def group_names(spots: Iterable[NodeKind]) -> set[str]:
    """The names of the nodes' groups; nodes of a HyperPod cluster that another program creates have one name."""
    return {_HYPERPODS if HYPERPOD in spot.known_labels and spot.group is None else spot.name for spot in spots}


def schedulable_on(part: AddonPart, spot: NodeKind) -> Schedulable:
    """Whether any pod of a part may be on a node."""
    answers = {schedulable(each, spot) for each in part.pods}
    return next((each for each in (Schedulable.YES, Schedulable.MAYBE) if each in answers), Schedulable.NO)


def offers_device(spot: NodeKind, resource: str, fleet: Fleet) -> bool:
    """Whether a node has devices of a kind."""
    if resource == EFA_RESOURCE:
        return efa_of(spot, fleet) > 0
    return spot.machine.resource_name == resource  # even if a plugin that shares GPUs renames them


def plugin_built_in(spot: NodeKind, resource: str, fleet: Fleet) -> bool:
    """Whether the image of a node contains a plugin for the device: Bottlerocket's NVIDIA variant does, and EKS Auto
    Mode has all."""
    group = spot.group
    if not isinstance(group, NodeGroup):
        return False
    if group.of_auto_mode:
        return resource in {GPU, EFA_RESOURCE}
    if resource != GPU:
        return False
    image = if_known(lambda: image_of(group, fleet))
    system = image.kind.system if image else group.family
    return system == "bottlerocket" and spot.machine.accelerator is Accelerator.GPU


def why_not_scheduled(part: AddonPart, spot: NodeKind) -> str:
    """Why the pods of a plugin or driver do not run on nodes."""
    taints = {str(taint) for pod in part.pods for taint in untolerated_taints(pod, spot.taints)}
    return (
        f"its pods do not tolerate {and_list(taints)}"
        if taints
        else "its affinity or node selector does not select them"
    )


@cached_by_identity(4)
def offers(fleet: Fleet) -> frozenset[str]:
    """The resources of all groups' devices."""
    return frozenset[str]().union(*(group_offers(fleet, group) for group in fleet.kubernetes_groups))


def group_offers(fleet: Fleet, group: KubernetesGroup) -> frozenset[str]:
    """The resources of one group's devices. EFA only if its launch template has EFA interfaces; HyperPod attaches
    them to every type that has any.

    Raises:
        NotKnown: its hardware or its interfaces are not known.
    """
    instance = fleet.instance_of(group)
    if instance is None:
        raise NotKnown("the instance type")
    of_type = machine(instance)
    own = {of_type.resource_name} if of_type.resource_name else set[str]()
    efa = of_type.max_efa > 0 if isinstance(group, InstanceGroup) else has_efa(group, fleet)
    return frozenset(own | ({EFA_RESOURCE} if efa else set()))


def built_in(fleet: Fleet, group: KubernetesGroup) -> frozenset[str]:
    """The devices of a group that its image's plugin offers."""
    auto = isinstance(group, NodeGroup) and group.of_auto_mode
    return plugin_in_image(group.family, group_offers(fleet, group), of_auto_mode=auto)
