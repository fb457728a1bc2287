"""How a HyperPod cluster's instances come, and what that needs."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule

_CONTINUOUS = "Continuous"


@rule(
    "hyperpod-continuous-on-eks",
    title="Provisioning is Continuous or nothing is said, and Continuous on EKS",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="The API has one mode beside its default, and the guide has it for clusters on EKS alone.",
    source="SageMaker API, CreateCluster (NodeProvisioningMode)",
    remedy="Write Continuous with an EKS cluster, or leave it out.",
    facts=("rules.md#59", "hardware.md#R19"),
)
def hyperpod_continuous_on_eks(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mode = cluster.provisioning
    if mode is UNKNOWN:
        yield rule.unjudged(cluster.place, f"how the instances of {called(cluster)} come, not known before creation")
    elif mode is not None and mode != _CONTINUOUS:
        got = f"{called(cluster)} asks for node provisioning mode '{mode}'"
        yield rule.finding(cluster.place, at="provisioning", got=got, remedy=f"write {_CONTINUOUS}, or leave it out")
    elif mode == _CONTINUOUS and cluster.orchestrator is None:
        got = f"{called(cluster)} is provisioned continuously, and is not on EKS"
        yield rule.finding(cluster.place, at="provisioning", got=got, remedy="leave nodeProvisioningMode out")
