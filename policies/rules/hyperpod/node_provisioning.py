"""Node provisioning mode, and features that need continuous provisioning."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import cluster_of, display_name
from muster.unknown import stored

_CONTINUOUS = set_to("continuous", at="/hyperpod.provisioning", in_program="Continuous")


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
