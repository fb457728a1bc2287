"""The words for how a HyperPod cluster's instances come."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule

_CONTINUOUS = "Continuous"


@rule(
    "hyperpod-provisioning-known",
    title="Node provisioning is Continuous, or nothing is said",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="The API has one mode beside its default and refuses any other word. A description has words of its own. That "
    "the mode is EKS's alone, as the API's text says, is out of date: AWS announced it for Slurm, too.",
    source="SageMaker API, ClusterNodeProvisioningMode; AWS, What's New of 2026-05-27",
    remedy="Write Continuous, or leave it out.",
    facts=("rules.md#59", "hardware.md#R19"),
)
def hyperpod_provisioning_known(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.provisioning is UNKNOWN:
        yield rule.unjudged(cluster.place, f"how the instances of {called(cluster)} come, not known before creation")
    elif cluster.provisioning not in (None, _CONTINUOUS):
        got = f"{called(cluster)} asks for node provisioning mode '{cluster.provisioning}'"
        yield rule.finding(cluster.place, at="provisioning", got=got, remedy=f"write {_CONTINUOUS}, or leave it out")
