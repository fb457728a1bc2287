"""What a HyperPod node is called, and the labels that say whose it is. Pure.

Names as kubectl shows them (awslabs/ai-on-sagemaker-hyperpod b13e484, `resiliency/eks-resiliency.md`), provider ids as
the cluster autoscaler met them (kubernetes/autoscaler#7540: the zone's id where other nodes have its name). A planned
node has no instance yet: the ids are made up, and always the same for the same node.
"""

from muster.fleet.blueprint import Blueprint, HyperPodGroup
from muster.fleet.hyperpod.health import DEEP_CHECKS, NODE_HEALTH, DeepChecks, Health
from muster.fleet.hyperpod.node_labels import whose

_CLUSTER_ID = 12
"""Characters of a HyperPod cluster's id."""


def node_name(instance: str) -> str:
    """``hyperpod-i-0123456789abcdef0``.

    Args:
        instance: the instance's id.
    """
    return f"hyperpod-{instance}"


def provider_id(blueprint: Blueprint, zone: str, instance: str, digest: str) -> str:
    """``aws:///usw2-az1/sagemaker/cluster/hyperpod-abcdefghijkl-i-0123456789abcdef0``.

    Args:
        blueprint: the cluster.
        zone: the node's; empty where nobody said.
        instance: the instance's id.
        digest: letters that the cluster alone has.
    """
    where = blueprint.network.zone_ids.get(zone, zone)
    return f"aws:///{where}/sagemaker/cluster/hyperpod-{digest[:_CLUSTER_ID]}-{instance}"


def labels(blueprint: Blueprint, group: HyperPodGroup) -> dict[str, str]:
    """What HyperPod sets on a node that is healthy, beside what the description says."""
    checks = {DEEP_CHECKS: DeepChecks.PASSED.value} if group.described.hyperpod.deep_health_checks else {}
    return {**whose(blueprint, group.name), NODE_HEALTH: Health.SCHEDULABLE.value, **checks}
