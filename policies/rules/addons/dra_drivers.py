"""DRA drivers: their Kubernetes version, and device plugins for the same devices."""

from collections.abc import Iterator, Sequence
from functools import partial

from muster.fleet.resources import Addon, ControlPlane, Fleet, HyperPodCluster, NodeGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import DRIVERS, AddonPart, PartKind
from muster.policies.lookups.device_plugins import (
    group_names,
    nodes_with,
    plugin_built_in,
    resource_of,
    schedulable_on,
)
from muster.policies.lookups.installed_addons import catalogued, parts, parts_of
from muster.policies.lookups.pod_placement import NodeKind, Schedulable
from muster.policies.lookups.versions import kubernetes_numbers, version_tuple
from muster.unknown import NotKnown, stored
from muster.versions import ADDONS

_SINCE = (1, 33)
"""EKS enables the beta API from this version. NVIDIA's ComputeDomains need no more (P6e-GB200)."""
_DOCUMENTED = (1, 34)
"""AWS documents the drivers of devices from this version."""
_KARPENTER = "Karpenter"


def dra_driver_supported(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for driver in (each for each in parts_of(addon) if each.what in DRIVERS):
        yield from rule.each(fleet.of(ControlPlane), partial(_on_version, addon, driver, rule), addon.place)
        if driver.what is PartKind.EFA_DRA:
            clusters = fleet.of(HyperPodCluster)
            yield from rule.each(clusters, partial(_beside_karpenter, addon, driver, rule), addon.place)


def _on_version(addon: Addon, driver: AddonPart, rule: Rule, plane: ControlPlane) -> Iterator[Verdict]:
    version = kubernetes_numbers(plane)
    if _pinned_since(addon) <= version < _DOCUMENTED:  # addon-supports-kubernetes reports an older one
        leveled = rule if version < _SINCE else rule.advice
        got = f"the cluster's Kubernetes {plane.kubernetes} is too old for {driver.what} ({driver.name})"
        change = (f"{driver.without} and use the device plugin", "use Kubernetes 1.34")
        yield leveled.finding(addon, driver.at, got=got, change=change)


def _pinned_since(addon: Addon) -> tuple[int, ...]:
    """The first Kubernetes version of an add-on whose version Muster chooses."""
    pin = ADDONS[addon.ref.name] if catalogued(addon) else None
    return version_tuple(pin.kubernetes[0]) or () if pin and stored(addon, "version") == pin.version else ()


def _beside_karpenter(addon: Addon, driver: AddonPart, rule: Rule, cluster: HyperPodCluster) -> Iterator[Verdict]:
    """The finding about the driver for EFA, if HyperPod's Karpenter creates the nodes."""
    if cluster.autoscaler == _KARPENTER:
        got = f"Karpenter creates the nodes, and AWS does not document {driver.what} ({driver.name}) for them"
        change = (f"{driver.without} and use the device plugin", "turn HyperPod's autoscaling off")
        yield rule.advice.finding(addon, driver.at, got=got, change=change)


def no_dra_driver_beside_plugin(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for driver in (each for each in parts_of(addon) if each.what in DRIVERS):
        nodes = nodes_with(resource_of(driver.what), fleet)
        plugins = parts(fleet, DRIVERS[driver.what])
        yield from rule.each(plugins, partial(_beside_plugin, driver, nodes, rule), addon.place)
        yield from _beside_the_image(driver, nodes, fleet, rule)


def _beside_plugin(driver: AddonPart, nodes: Sequence[NodeKind], rule: Rule, plugin: AddonPart) -> Iterator[Verdict]:
    met = {spot: {schedulable_on(driver, spot), schedulable_on(plugin, spot)} for spot in nodes}
    where = group_names(spot for spot, answers in met.items() if answers == {Schedulable.YES})
    if where:
        got = f"{driver.what} ({driver.name}) and {plugin.what} ({plugin.name}) both run on {and_list(where)}"
        remedy = f"{driver.without}, or {plugin.without}"
        yield rule.finding(driver.addon, driver.at, got=got, change=remedy)
    elif not nodes or any(Schedulable.NO not in answers for answers in met.values()):
        raise NotKnown(f"whether {driver.what} and {plugin.what} run on the same node")


def _beside_the_image(driver: AddonPart, nodes: Sequence[NodeKind], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The findings about nodes whose Bottlerocket image runs a device plugin. A setting turns that plugin off, which
    Muster does not write."""
    built_in = [spot for spot in nodes if plugin_built_in(spot, resource_of(driver.what), fleet)]
    where = [spot for spot in built_in if schedulable_on(driver, spot) is Schedulable.YES]
    ours = [spot for spot in where if spot.group is not None and spot.group.purpose is not None]
    if ours:
        rest = group_names(spot for spot in nodes if spot not in built_in and spot.group is not None)
        remedy = f"set groups of {driver.name} to {and_list(rest)}" if rest else f"remove {driver.name}"
        chosen = not any(isinstance(each.group, NodeGroup) and each.group.of_auto_mode for each in ours)
        got = f"{driver.what} ({driver.name}) runs on {and_list(group_names(ours))}, whose image runs a device plugin"
        change = f"{remedy}, or use nodes with image: al2023" if chosen else remedy
        yield rule.finding(driver.addon, driver.at, got=got, change=change)
    elif where:
        setting = "settings.kubelet-device-plugins.nvidia.enabled is false"
        raise NotKnown(f"whether {setting} on {and_list(group_names(where))}")
