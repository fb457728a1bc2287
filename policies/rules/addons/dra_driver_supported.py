"""DRA drivers against the cluster's Kubernetes version."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, ControlPlane, Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.part import DRIVERS, Part, What
from policies.reading.parts import parts_of
from policies.reading.versions import numbers
from policies.rule import Rule, Verdict, rule

_SINCE = (1, 34)
_KARPENTER = "Karpenter"


@rule(
    "dra-driver-supported",
    title="DRA drivers are for Kubernetes 1.34 and newer, and EFA's not for nodes of Karpenter",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Dynamic Resource Allocation is on by default from 1.34 on, and EKS supports these drivers from there: before, "
    "nobody serves the API that they register devices with. EFA's works with neither Karpenter nor Auto Mode.",
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
            version = numbers(plane.kubernetes)
            if version is None:
                yield rule.unjudged(addon.place, "the cluster's Kubernetes version")
            elif version < _SINCE:
                got = f"{driver.what} ({driver.name}) on Kubernetes {plane.kubernetes}"
                remedy = f"{driver.without} and take the device plugin, or take Kubernetes 1.34"
                yield rule.finding(addon.place, at=driver.at, got=got, remedy=remedy)
        if driver.what is What.EFA_DRA:
            yield from _beside_karpenter(addon, driver, fleet, rule)


def _beside_karpenter(addon: Addon, driver: Part, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The driver for EFA, where HyperPod's Karpenter makes the nodes."""
    for cluster in fleet.of(HyperPodCluster):
        if cluster.autoscaler is UNKNOWN:
            yield rule.unjudged(addon.place, "whether Karpenter makes the nodes, not known before creation")
        elif cluster.autoscaler == _KARPENTER:
            got = f"{driver.what} ({driver.name}) on nodes that Karpenter makes, where EKS does not support it"
            remedy = f"{driver.without} and take the device plugin, or turn autoscaling off"
            yield rule.finding(addon.place, at=driver.at, got=got, remedy=remedy)
