"""The labels by which a HyperPod node says whose it is. Pure."""

from muster.fleet.blueprint import Blueprint
from muster.fleet.hyperpod.health import CLUSTER, COMPUTE_TYPE, GROUP, HYPERPOD


def whose(blueprint: Blueprint, group: str) -> dict[str, str]:
    """What HyperPod sets on every node of an instance group, beside what the description says; of their health,
    `health` has the words.

    Args:
        blueprint: the cluster, on HyperPod.
        group: the group's name.
    """
    name = blueprint.hyperpod.cluster.name if blueprint.hyperpod else None
    cluster = name if isinstance(name, str) else blueprint.cluster_name
    return {COMPUTE_TYPE: HYPERPOD, CLUSTER: cluster, GROUP: group}
