"""DRA drivers against the cluster's Kubernetes version."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Addon, ControlPlane, Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.part import DRIVERS, Part, What
from policies.reading.parts import parts_of
from policies.reading.versions import numbers
from policies.rule import Rule, Verdict, rule

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
            version = numbers(plane.kubernetes)
            if version is None:
                yield rule.unjudged(addon.place, "the cluster's Kubernetes version")
            elif version < _SINCE or (version < _DOCUMENTED and driver.what is not What.NVIDIA_DRA):
                leveled = rule if version < _SINCE else rule.configured(Level.ADVISORY)
                got = f"{driver.what} ({driver.name}) on Kubernetes {plane.kubernetes}"
                remedy = f"{driver.without} and take the device plugin, or take Kubernetes 1.34"
                yield leveled.finding(addon.place, at=driver.at, got=got, remedy=remedy)
        if driver.what is What.EFA_DRA:
            yield from _beside_karpenter(addon, driver, fleet, rule)


def _beside_karpenter(addon: Addon, driver: Part, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The driver for EFA, where HyperPod's Karpenter makes the nodes."""
    for cluster in fleet.of(HyperPodCluster):
        if cluster.autoscaler is UNKNOWN:
            yield rule.unjudged(addon.place, "whether Karpenter makes the nodes, not known before creation")
        elif cluster.autoscaler == _KARPENTER:
            got = f"{driver.what} ({driver.name}) on nodes that Karpenter makes, where AWS does not document it"
            remedy = f"{driver.without} and take the device plugin, or turn autoscaling off"
            yield rule.configured(Level.ADVISORY).finding(addon.place, at=driver.at, got=got, remedy=remedy)
