"""The labels that HyperPod itself sets on a node. Pure. Names and sources: `muster.fleet.hyperpod.health`."""

from muster.fleet.blueprint import Blueprint
from muster.fleet.hyperpod.health import CLUSTER, COMPUTE_TYPE, GROUP, HYPERPOD, NODE_HEALTH, Health


def whose(blueprint: Blueprint, group: str) -> dict[str, str]:
    """What HyperPod sets on every node of an instance group, beside what the description says; of their health,
    `health` has the words.

    Args:
        blueprint: the cluster, on HyperPod.
        group: the group's name.
    """
    name = blueprint.hyperpod.cluster.name if blueprint.hyperpod else None
    return {COMPUTE_TYPE: HYPERPOD, CLUSTER: name or blueprint.cluster_name, GROUP: group}


def node_labels(group: str, cluster: str | None = None) -> dict[str, str]:
    """Of a node that passed its checks.

    Args:
        group: the instance group's name.
        cluster: the HyperPod cluster's; None where it is not known.
    """
    named = {CLUSTER: cluster} if cluster else {}
    return {COMPUTE_TYPE: HYPERPOD, GROUP: group, NODE_HEALTH: Health.SCHEDULABLE.value, **named}
