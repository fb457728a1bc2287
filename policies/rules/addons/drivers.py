"""NVIDIA's operator and sharing of GPUs, DRA drivers, ComputeDomains."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from muster.addon_sheets import ADDONS
from muster.addons.catalogue import CATALOGUE
from muster.addons.values import workloads_of
from muster.blueprint.gpu_sharing import GPU, GpuSharing, gpu_sharing
from muster.config.description.node_group import Purpose
from muster.edits import Edit, Remedy, add, remove, set_to
from muster.fleet.resources import Addon, ControlPlane, Fleet, HyperPodCluster, NodeGroup
from muster.fleet.resources.fleet import KubernetesGroup
from muster.hardware.catalogue import Accelerator
from muster.hardware.ultraservers import NVLINK, ultraservers_of
from muster.plain_data import value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import DRIVERS, NVIDIA_DRA_CHARTS, AddonPart, PartKind, switched_on
from muster.policies.lookups.device_plugins import (
    every_node_kind,
    group_names,
    labelled_node_kinds_of,
    nodes_with,
    offers_device,
    own_plugins,
    plugin_built_in,
    resource_of,
    schedulable_on,
)
from muster.policies.lookups.installed_addons import catalogued, installing, parts, parts_of
from muster.policies.lookups.machines import image_of
from muster.policies.lookups.pod_placement import NodeKind, node_kinds, schedulable
from muster.policies.lookups.versions import kubernetes_numbers, version_tuple
from muster.scheduling.fit import Schedulable
from muster.unknown import NotKnown, any_of, has_unknown, if_known, stored


def gpu_operator_leaves_the_image(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    found = [part for part in parts_of(addon) if part.what in (PartKind.GPU_DRIVER, PartKind.GPU_TOOLKIT)]
    # On HyperPod's images AWS chose what HyperPod's chart starts; but it also runs on all other nodes with GPUs.
    reached = {
        spot.group.ref
        for spot in every_node_kind(fleet)
        if spot.group and spot.machine.accelerator is Accelerator.GPU
        if any(schedulable_on(part, spot) is not Schedulable.NO for part in found)
    }
    groups = [each for each in fleet.of(NodeGroup) if each.ref in reached]
    having = [group.ref.name for group in groups if if_known(lambda: _has_driver(group, fleet))]
    if having:
        brings = and_list("the driver" if part.what is PartKind.GPU_DRIVER else "the toolkit" for part in found)
        got = f"{addon.ref.name} installs {brings}, which the image of {and_list(having)} already contains"
        edits = [each for each in (part.without for part in found) if isinstance(each, Edit)]
        switches = and_list(part.off for part in found)
        change = replace(edits[0], also=tuple(edits[1:])) if edits else f"set {switches} in its values"
        yield rule.finding(addon, "values", got=got, change=change)
    for group in groups:
        _has_driver(group, fleet)  # raises where that is not known


def _has_driver(group: NodeGroup, fleet: Fleet) -> bool:
    """Whether a group's image contains the driver; a custom one is the user's matter."""
    image = image_of(group, fleet)
    return image is not None and Accelerator.GPU in image.kind.drivers


def training_gpus_not_shared(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part, spot, sharing in _shared(addon, fleet):
        gpus, leveled = spot.machine.accelerators, rule
        if sharing.renamed:
            got = f"{part.what} of {part.name} offers nvidia.com/gpu.shared on {spot.name}, but no {GPU}: jobs wait"
        elif sharing.one_only and gpus > 1:
            got = f"{part.what} of {part.name} rejects pods with more than one {GPU} on {spot.name} ({sharing.how})"
        else:
            leveled = rule.advice
            got = f"{part.what} of {part.name} offers each GPU of {spot.name} {sharing.replicas} times ({sharing.how})"
        change = (f"remove sharing.{sharing.how} from this configuration", "select another one for these nodes")
        yield leveled.finding(addon, f"{part.at}.{sharing.at}", got=got, change=change)


def _shared(addon: Addon, fleet: Fleet) -> Iterator[tuple[AddonPart, NodeKind, GpuSharing]]:
    """The kinds of nodes for training whose GPUs a plugin of this add-on shares, one for each configuration."""
    seen = set()
    plugins = [each for each in parts_of(addon) if each.what is PartKind.NVIDIA_PLUGIN]
    for part in (each for each in plugins if value_at(each.values, "config")):
        for spot in node_kinds(fleet):
            trains = spot.group is not None and spot.group.purpose is Purpose.TRAINING
            if not trains or not offers_device(spot, GPU, fleet) or schedulable_on(part, spot) is Schedulable.NO:
                continue
            sharing = gpu_sharing(part.values, spot.known_labels)
            if sharing and (at := f"{part.at}.{sharing.at}") not in seen:
                seen.add(at)
                yield part, spot, sharing


_SINCE = (1, 33)
"""EKS enables the beta API from this version. NVIDIA's ComputeDomains need no more (P6e-GB200)."""
_DOCUMENTED = (1, 34)
"""AWS documents the drivers of devices from this version."""


def dra_driver_supported(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for driver in (each for each in parts_of(addon) if each.what in DRIVERS):
        yield from rule.each(fleet.of(ControlPlane), partial(_on_version, addon, driver, fleet, rule), addon.place)
        if driver.what is PartKind.EFA_DRA:
            clusters = fleet.of(HyperPodCluster)
            yield from rule.each(clusters, partial(_beside_karpenter, addon, driver, fleet, rule), addon.place)


def _by_plugin(driver: AddonPart, fleet: Fleet) -> Remedy:
    """The device plugin instead of a driver."""
    without, resource = driver.without, resource_of(driver.what)
    if isinstance(without, str):
        return f"{without} and use the device plugin"
    plugins = (name for name, each in CATALOGUE.items() if each.serves == resource)
    also = () if own_plugins(resource, fleet) else tuple(installing(each) for each in plugins)
    return replace(without, also=tuple(each for each in also if isinstance(each, Edit)))


def _on_version(addon: Addon, driver: AddonPart, fleet: Fleet, rule: Rule, plane: ControlPlane) -> Iterator[Verdict]:
    version = kubernetes_numbers(plane)
    if _pinned_since(addon) <= version < _DOCUMENTED:  # addon-supports-kubernetes reports an older one
        leveled = rule if version < _SINCE else rule.advice
        got = f"the cluster's Kubernetes {plane.kubernetes} is too old for {driver.what} ({driver.name})"
        change = (_by_plugin(driver, fleet), "use Kubernetes 1.34")
        yield leveled.finding(addon, driver.at, got=got, change=change)


def _pinned_since(addon: Addon) -> tuple[int, ...]:
    """The first Kubernetes version of an add-on whose version Muster chooses."""
    pin = ADDONS[addon.ref.name] if catalogued(addon) else None
    return version_tuple(pin.kubernetes[0]) or () if pin and stored(addon, "version") == pin.version else ()


def _beside_karpenter(
    addon: Addon, driver: AddonPart, fleet: Fleet, rule: Rule, cluster: HyperPodCluster
) -> Iterator[Verdict]:
    """The finding about the driver for EFA, if HyperPod's Karpenter creates the nodes."""
    if cluster.autoscaler == "Karpenter":
        got = f"Karpenter creates the nodes, and AWS does not document {driver.what} ({driver.name}) for them"
        change = (_by_plugin(driver, fleet), "turn HyperPod's autoscaling off")
        yield rule.advice.finding(addon, driver.at, got=got, change=change)


def no_dra_driver_beside_plugin(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for driver in (each for each in parts_of(addon) if each.what in DRIVERS):
        nodes = nodes_with(resource_of(driver.what), fleet)
        plugins = parts(fleet, DRIVERS[driver.what])
        usable = all(if_known(lambda: kubernetes_numbers(each) >= _SINCE, True) for each in fleet.of(ControlPlane))
        yield from rule.each(plugins, partial(_beside_plugin, driver, nodes, rule, usable), addon.place)
        yield from _beside_the_image(driver, nodes, fleet, rule)


def _beside_plugin(
    driver: AddonPart,
    nodes: Sequence[NodeKind],
    rule: Rule,
    usable: bool,  # noqa: FBT001  (whether the cluster's Kubernetes has DRA)
    plugin: AddonPart,
) -> Iterator[Verdict]:
    met = {spot: {schedulable_on(driver, spot), schedulable_on(plugin, spot)} for spot in nodes}
    where = group_names(spot for spot, answers in met.items() if answers == {Schedulable.YES})
    if where:
        got = f"{driver.what} ({driver.name}) and {plugin.what} ({plugin.name}) both run on {and_list(where)}"
        change = (driver.without, plugin.without) if usable else driver.without
        yield rule.finding(driver.addon, driver.at, got=got, change=change)
    elif not nodes or any(Schedulable.NO not in answers for answers in met.values()):
        raise NotKnown(f"whether {driver.what} and {plugin.what} run on the same node")


def _beside_the_image(driver: AddonPart, nodes: Sequence[NodeKind], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The findings about nodes whose Bottlerocket image runs a device plugin. A setting turns that plugin off, which
    Muster does not write."""
    built_in = [spot for spot in nodes if plugin_built_in(spot, resource_of(driver.what), fleet)]
    where = [spot for spot in built_in if schedulable_on(driver, spot) is Schedulable.YES]
    ours = [spot for spot in where if spot.group is not None and spot.group.purpose is not None]
    if ours:
        got = f"{driver.what} ({driver.name}) runs on {and_list(group_names(ours))}, whose image runs a device plugin"
        change = f"leave these groups out of groups of {driver.name}, or remove {driver.name}"
        yield rule.finding(driver.addon, driver.at, got=got, change=change)
    elif where:
        setting = "settings.kubelet-device-plugins.nvidia.enabled is false"
        raise NotKnown(f"whether {setting} on {and_list(group_names(where))}")
    elif unclear := [spot for spot in built_in if schedulable_on(driver, spot) is Schedulable.MAYBE]:
        raise NotKnown(f"whether {driver.what} runs on {and_list(group_names(unclear))}")


_DOMAINS = ("resources", "computeDomains", "enabled")


def ultraserver_has_compute_domains(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only for described clusters: a foreign program may install the driver in another project.
    if group.purpose is None:
        return
    machines = [spot.machine for spot in labelled_node_kinds_of(group, fleet)]
    if not any(each.interconnect == NVLINK for machine in machines for each in ultraservers_of(machine.instance)):
        return
    if any_of(*(partial(_creates_for, group, fleet, addon) for addon in fleet.of(Addon))):
        return
    if fleet.absent:
        raise NotKnown(f"whether another stack installs NVIDIA's DRA driver: {'; '.join(fleet.absent)}")
    drivers = [addon for addon in fleet.of(Addon) if addon.chart in NVIDIA_DRA_CHARTS]
    creating = [addon for addon in drivers if _creates_domains(addon)]
    got = "the nodes are part of an UltraServer, but no add-on creates ComputeDomains for NVLink between nodes"
    change: tuple[Edit, ...] = (
        set_to({"values": {"resources": {"gpus": {"enabled": False}}}}, at="/addons.nvidia-dra-driver"),
    )
    if creating:
        got = f"the nodes are part of an UltraServer, but {creating[0].ref.name} does not run on them"
        groups = f"/{creating[0].place.path('groups')}"
        change = (add(group.ref.name, at=groups), remove(at=groups))
    elif drivers:
        got = f"the nodes are part of an UltraServer, but {drivers[0].ref.name} creates no ComputeDomains"
        change = (remove(at=f"/{drivers[0].place.path('.'.join(('values', *_DOMAINS)))}"),)
    yield rule.finding(group, "instance", got=got, change=change)


def _creates_for(group: KubernetesGroup, fleet: Fleet, addon: Addon) -> bool:
    """Whether an add-on creates ComputeDomains, and its pods run on the nodes of a group."""
    if addon.chart not in NVIDIA_DRA_CHARTS or not _creates_domains(addon):
        return False
    known = catalogued(addon)
    daemons = [each for each in workloads_of(known, addon.values) if each.kind == "DaemonSet"] if known else []
    return not daemons or any(
        schedulable(each.placement.pod_spec, spot) is not Schedulable.NO
        for each in daemons
        for spot in labelled_node_kinds_of(group, fleet)
    )


def _creates_domains(addon: Addon) -> bool:
    if has_unknown(addon.values):
        raise NotKnown("values", addon)
    return switched_on(addon.values, *_DOMAINS, default=True)
