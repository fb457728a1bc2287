"""HyperPod's managed Karpenter: which instance groups it can scale."""

from collections.abc import Iterator

from muster.edits import remove
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name, groups_of, machines
from muster.unknown import stored


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
