"""Node provisioning mode, and what needs continuous provisioning."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.hyperpod import cluster_of, display_name

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
        yield rule.unjudged(
            cluster.place, f"how the instances of {display_name(cluster)} come, not known before creation"
        )
    elif cluster.provisioning not in (None, _CONTINUOUS):
        got = f"{display_name(cluster)} asks for node provisioning mode '{cluster.provisioning}'"
        yield rule.finding(cluster.place, at="provisioning", got=got, remedy=f"write {_CONTINUOUS}, or leave it out")


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
        yield rule.unjudged(
            cluster.place, f"what the autoscaling of {display_name(cluster)} has, not known before creation"
        )
        return
    lacking = {
        "provisioning: continuous": cluster.provisioning != "Continuous",
        "a cluster role": not cluster.has_cluster_role,
        "node-recovery: automatic": cluster.node_recovery != "Automatic",
    }
    missing = [what for what, lacks in lacking.items() if lacks]
    if missing:
        got = f"{display_name(cluster)} scales by Karpenter without {and_list(missing)}"
        yield rule.finding(cluster.place, at="autoscaling", got=got, remedy=f"add {and_list(missing)}, or leave it out")


@rule(
    "hyperpod-minimum-needs-continuous",
    title="A HyperPod group with a minimum is provisioned continuously",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Only continuous provisioning starts with fewer instances than asked for and fetches the others later. Without "
    "it a group comes whole or is rolled back, whatever its minimum says.",
    source="SageMaker API, NodeProvisioningMode and MinInstanceCount; AWS, What's New of 2026-05-27 (MinCount)",
    remedy="Set provisioning to continuous, or leave the minimum out.",
    facts=("rules.md#57", "hardware.md#f5"),
)
def hyperpod_minimum_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or cluster.provisioning in ("Continuous", UNKNOWN) or group.minimum is None:
        return
    if group.minimum is UNKNOWN or group.nodes_start is UNKNOWN:
        return  # hyperpod-counts-in-order reports it
    if group.minimum < group.nodes_start:
        yield rule.finding(
            group.place,
            at="nodes.minimum",
            got=f"{display_name(group)} would do with {group.minimum} of {group.nodes_start} instances, and comes "
            "whole or "
            "not at all",
            remedy="set provisioning: continuous (nodeProvisioningMode), or leave the minimum out",
        )


@rule(
    "hyperpod-spot-needs-continuous",
    title="A HyperPod group on spot is provisioned continuously",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="AWS describes spot instances of HyperPod with continuous provisioning only, which fetches what was "
    "interrupted again. Without it one instance that is not to be had takes the whole group back.",
    source="SageMaker guide, sagemaker-hyperpod-spot, sagemaker-hyperpod-scaling-eks",
    remedy="Set provisioning to continuous.",
    facts=("rules.md#57", "hardware.md#f5"),
)
def hyperpod_spot_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or cluster.provisioning == "Continuous" or group.spot is not True:
        return  # spot-not-for-training reports an unknown `spot`
    if cluster.provisioning is UNKNOWN:
        yield rule.unjudged(group.place, f"the provisioning mode of {display_name(cluster)}, not known before creation")
        return
    got = f"{display_name(group)} is on spot, and {display_name(cluster)} is not provisioned continuously"
    remedy = "set provisioning: continuous (nodeProvisioningMode), or take on-demand"
    yield rule.finding(group.place, at="capacity.spot", got=got, remedy=remedy)
