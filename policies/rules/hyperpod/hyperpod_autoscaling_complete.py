"""What HyperPod's own Karpenter needs."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "hyperpod-autoscaling-complete",
    title="Autoscaling comes with continuous provisioning, a cluster role and automatic recovery",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="HyperPod's Karpenter adds and takes away single instances, by a role of its own: it needs the provisioning "
    "that can do that, the role to do it with, and recovery that does not leave failed instances standing.",
    source="SageMaker guide, sagemaker-hyperpod-eks-autoscaling (prerequisites); SageMaker API, CreateCluster "
    "(ClusterRole)",
    remedy="Add what is missing, or turn autoscaling off.",
    facts=("rules.md#59", "hardware.md#f5"),
)
def hyperpod_autoscaling_complete(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.autoscaler is None:
        return
    if cluster.autoscaler is UNKNOWN or UNKNOWN in (cluster.provisioning, cluster.node_recovery):
        yield rule.unjudged(cluster.place, f"what the autoscaling of {called(cluster)} has, not known before creation")
        return
    lacking = {
        "provisioning: continuous": cluster.provisioning != "Continuous",
        "a cluster role": not cluster.has_cluster_role,
        "node-recovery: automatic": cluster.node_recovery != "Automatic",
    }
    missing = [what for what, lacks in lacking.items() if lacks]
    if missing:
        got = f"{called(cluster)} scales by Karpenter without {some(missing)}"
        yield rule.finding(cluster.place, at="autoscaling", got=got, remedy=f"add {some(missing)}, or leave it out")
