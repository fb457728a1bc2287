"""Add-ons for nodes of a backend that the cluster has none of."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Addon, ControlPlane, Fleet
from muster.fleet.resources.fleet import EKS, HYPERPOD
from policies.reading.catalogued import catalogued
from policies.rule import Rule, Severity, Verdict, rule

_OF = {"eks-node-monitoring-agent": EKS, "hyperpod": HYPERPOD}
"""Add-on -> whose nodes it is for."""

_WHY = {
    "eks-node-monitoring-agent": "it keeps off nodes that HyperPod runs, whose own agent (`hyperpod`) watches them",
    "hyperpod": "what it brings is for nodes that HyperPod runs, and the cluster has none",
}


@rule(
    "addon-has-a-use",
    title="The cluster has nodes that an add-on is for",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="HyperPod's chart brings agents and plugins for HyperPod's nodes, EKS's node monitoring agent keeps off them. "
    "Where there are no others they take pods and rights on the cluster, and do nothing.",
    source="aws/eks-node-monitoring-agent v1.6.7 charts; aws/sagemaker-hyperpod-cli helm_chart/HyperPodHelmChart",
    remedy="Remove the add-on.",
    facts=("addons.md#add-ons",),
)
def addon_has_a_use(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = addon.ref.name
    if name not in _OF or not catalogued(addon) or _OF[name] in fleet.backends:
        return
    # Nodes beside those of this program: an existing cluster's, or all of them where the program has only add-ons.
    others = not fleet.kubernetes_groups or any(plane.existing for plane in fleet.of(ControlPlane))
    if not others:
        yield rule.finding(addon.place, got=f"{name} has nothing to do: {_WHY[name]}", remedy=f"remove {name}")
