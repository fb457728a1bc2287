"""DRA drivers: their Kubernetes version, and device plugins beside them."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Addon, ControlPlane, Fleet, HyperPodCluster
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.chart_contents import DRIVERS, AddonPart, PartKind
from policies.lookups.device_plugins import every_node_kind, group_names, offers_device, resource_of, schedulable_on
from policies.lookups.installed_addons import parts, parts_of
from policies.lookups.scheduling import Schedulable
from policies.lookups.versions import version_tuple

_SINCE = (1, 33)
"""EKS enables the beta API from here on, and P6e-GB200 needs NVIDIA's driver there."""
_DOCUMENTED = (1, 34)
"""AWS documents the drivers of EFA and Neuron from here on."""
_KARPENTER = "Karpenter"


@rule(
    "dra-driver-supported",
    title="DRA drivers are for Kubernetes 1.33 and newer, those of EFA and Neuron for 1.34 and newer",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="EKS serves the API of Dynamic Resource Allocation from Kubernetes 1.33 on, as a beta: drivers register their "
    "devices with it. AWS documents the drivers of EFA and Neuron from 1.34 on. On Karpenter's nodes DRA needs "
    "Karpenter 1.15 and a feature gate; the page on EFA says that its driver does not work there.",
    source="EKS user guide, device-management-efa, -nvidia-dra-device-plugin and -neuron",
    remedy="Take the device plugin, or Kubernetes 1.34.",
    facts=("rules.md#16", "addons.md#surprises-11"),
)
def dra_driver_supported(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for driver in (each for each in mine if each.what in DRIVERS):
        for plane in fleet.of(ControlPlane):
            version = version_tuple(plane.kubernetes)
            if version is None:
                yield rule.unjudged(addon.place, "the cluster's Kubernetes version")
            elif version < _SINCE or (version < _DOCUMENTED and driver.what is not PartKind.NVIDIA_DRA):
                leveled = rule if version < _SINCE else rule.configured(Level.ADVISORY)
                got = f"{driver.what} ({driver.name}) on Kubernetes {plane.kubernetes}"
                remedy = f"{driver.without} and take the device plugin, or take Kubernetes 1.34"
                yield leveled.finding(addon.place, at=driver.at, got=got, remedy=remedy)
        if driver.what is PartKind.EFA_DRA:
            yield from _beside_karpenter(addon, driver, fleet, rule)


def _beside_karpenter(addon: Addon, driver: AddonPart, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The driver for EFA, where HyperPod's Karpenter makes the nodes."""
    for cluster in fleet.of(HyperPodCluster):
        if cluster.autoscaler is UNKNOWN:
            yield rule.unjudged(addon.place, "whether Karpenter makes the nodes, not known before creation")
        elif cluster.autoscaler == _KARPENTER:
            got = f"{driver.what} ({driver.name}) on nodes that Karpenter makes, where AWS does not document it"
            remedy = f"{driver.without} and take the device plugin, or turn autoscaling off"
            yield rule.configured(Level.ADVISORY).finding(addon.place, at=driver.at, got=got, remedy=remedy)


@rule(
    "no-dra-driver-beside-plugin",
    title="A node's devices are offered by a device plugin or by a DRA driver, not by both",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Neither knows what the other has given away: two pods get the same GPU or the same EFA interface, and no "
    "error says so.",
    source="EKS user guide, device-management-nvidia, -efa, -neuron; dra-driver-nvidia-gpu templates/validation.yaml",
    remedy="Leave one of them out, or keep it off these nodes.",
    facts=("addons.md#surprises-11", "addons.md#conflicts"),
)
def no_dra_driver_beside_plugin(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for driver in (each for each in mine if each.what in DRIVERS):
        resource = resource_of(driver.what)
        nodes = [spot for spot in every_node_kind(fleet) if offers_device(spot, resource, fleet)]
        for plugin in parts(fleet, DRIVERS[driver.what]):
            met = {spot: {schedulable_on(driver, spot), schedulable_on(plugin, spot)} for spot in nodes}
            where = group_names(spot for spot, answers in met.items() if answers == {Schedulable.YES})
            if where:
                got = f"{driver.what} ({driver.name}) and {plugin.what} ({plugin.name}) are both on {and_list(where)}"
                remedy = f"{driver.without}, or {plugin.without}"
                yield rule.finding(addon.place, at=driver.at, got=got, remedy=remedy)
            elif not nodes or any(Schedulable.NO not in answers for answers in met.values()):
                yield rule.unjudged(addon.place, f"whether {driver.what} and {plugin.what} meet on a node")
