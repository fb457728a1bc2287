"""HyperPod's managed Karpenter: which instance groups it can scale."""

from collections.abc import Iterator

from muster.edits import remove
from muster.finding import Level
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.hyperpod import display_name, groups_of, machines
from muster.unknown import stored


@rule(
    "hyperpod-karpenter-has-a-group",
    title="A cluster with Karpenter autoscaling has an instance group that Karpenter can scale",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="Karpenter adds instances to the groups that a HyperpodNodeClass names. It supports no groups with a training "
    "plan or with deep health checks, and no ARM instances. If every group has one of these, pods wait for nodes that "
    "never come.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-autoscaling-nodeclass.html",
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-autoscaling-nodepool.html",
    ),
    remedy="Add a group without training plan and deep health checks, or turn autoscaling off.",
    facts=("addons.md#hyperpod-karpenter",),
)
def hyperpod_karpenter_has_a_group(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(cluster, "autoscaler", None) is None or not cluster.groups_known:
        return  # hyperpod-autoscaling-complete reports an unknown autoscaler
    reasons: list[str] = []
    for group in groups_of(cluster, fleet):
        why = _unsupported(group)
        if not why:
            return
        reasons.append(f"{display_name(group)} has {why}")
    if reasons:
        got = f"Karpenter can scale no group of {display_name(cluster)}: {and_list(reasons)}"
        yield rule.finding(cluster, "autoscaling", got=got, change=("add a group that has none of these", remove()))


def _unsupported(group: InstanceGroup) -> str:
    """Why Karpenter does not scale a group; empty if it does."""
    if group.training_plan is not None:
        return "a training plan"
    if group.deep_checks:
        return "deep health checks"
    return "ARM instances" if {each.architecture for each in machines(group)} == {"arm64"} else ""
