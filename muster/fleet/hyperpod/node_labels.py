"""The labels that HyperPod itself sets on a healthy node. Names and sources: `muster.fleet.hyperpod.health`."""

from muster.fleet.hyperpod.health import CLUSTER, COMPUTE_TYPE, GROUP, HYPERPOD, NODE_HEALTH, Health


def node_labels(group: str, cluster: str | None = None) -> dict[str, str]:
    """Of a node that passed its checks.

    Args:
        group: the instance group's name.
        cluster: the HyperPod cluster's; None where it is not known.
    """
    named = {CLUSTER: cluster} if cluster else {}
    return {COMPUTE_TYPE: HYPERPOD, GROUP: group, NODE_HEALTH: Health.SCHEDULABLE.value, **named}
