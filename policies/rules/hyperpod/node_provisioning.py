"""Node provisioning mode, and features that need continuous provisioning."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.finding import Level
from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.hyperpod import cluster_of, display_name
from muster.unknown import stored

_CONTINUOUS = set_to("continuous", at="/hyperpod.provisioning", in_program="Continuous")


@rule(
    "hyperpod-autoscaling-complete",
    title="A cluster with autoscaling has continuous provisioning, a cluster role and automatic recovery",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="HyperPod's Karpenter adds and removes single instances. It needs continuous provisioning to do that, a "
    "cluster role to act with, and automatic recovery so that failed instances do not stay in the cluster.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-autoscaling.html",
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateCluster.html",
    ),
    remedy="Add what is missing, or turn autoscaling off.",
    facts=("rules.md#59", "hardware.md#f5"),
)
def hyperpod_autoscaling_complete(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.autoscaler is None:
        return
    lacking = {
        "provisioning": "" if cluster.provisioning == "Continuous" else "continuous provisioning",
        "cluster-role": "" if cluster.has_cluster_role else "a cluster role",
        "node-recovery": "" if cluster.node_recovery == "Automatic" else "automatic node recovery",
    }
    missing = {field: what for field, what in lacking.items() if what}
    if missing:
        got = f"{display_name(cluster)} uses Karpenter autoscaling without {and_list(missing.values())}"
        needed = and_list(rule.key(cluster, field) for field in missing)
        yield rule.finding(cluster, "autoscaling", got=got, change=(f"set {needed}", remove()))


@rule(
    "hyperpod-minimum-needs-continuous",
    title="A HyperPod group with a minimum uses continuous provisioning",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="Only continuous provisioning starts with fewer instances than requested and adds the others later. In the "
    "default mode, HyperPod launches the whole group or rolls it back, and ignores the minimum.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateCluster.html",
        "https://aws.amazon.com/about-aws/whats-new/2026/05/amazon-sagemaker-hyperpod-mincount",
    ),
    remedy="Set provisioning to continuous, or remove the minimum.",
    facts=("rules.md#57", "hardware.md#f5"),
)
def hyperpod_minimum_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or stored(group, "minimum") is None or cluster.provisioning == "Continuous":
        return
    if (group.minimum or 0) < group.nodes_start:
        yield rule.finding(
            group,
            "nodes.minimum",
            got=f"{display_name(group)} sets a minimum of {group.minimum} of {group.nodes_start} instances, which "
            "HyperPod ignores without continuous provisioning",
            change=(_CONTINUOUS, remove()),
        )


@rule(
    "hyperpod-spot-needs-continuous",
    title="A HyperPod group of spot instances uses continuous provisioning",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="AWS documents spot instances on HyperPod only with continuous provisioning, which replaces interrupted "
    "instances. In the default mode, HyperPod rolls back the whole group if one spot instance is not available.",
    source=("https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-spot.html",),
    remedy="Set provisioning to continuous.",
    facts=("rules.md#57", "hardware.md#f5"),
)
def hyperpod_spot_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or not stored(group, "spot", False) or cluster.provisioning == "Continuous":
        return  # spot-not-for-training reports an unknown `spot`
    yield rule.finding(
        group,
        "capacity.spot",
        got=f"{display_name(group)} uses spot instances, but {display_name(cluster)} has no continuous provisioning",
        change=(_CONTINUOUS, "use on-demand instances"),
    )
