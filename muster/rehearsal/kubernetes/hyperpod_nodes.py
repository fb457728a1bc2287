"""The nodes of HyperPod in a rehearsal."""

from muster.blueprint.hyperpod.node_labels import DEEP_CHECKS, NODE_HEALTH, DeepChecks, Health, identity_labels
from muster.blueprint.kubernetes import Blueprint, HyperPodGroup
from muster.rehearsal.kubernetes.nodes import BackendNodes, digest

_CLUSTER_ID = 12
"""Characters of a HyperPod cluster's id."""


def _identity(blueprint: Blueprint, _group: HyperPodGroup, zone: str, _index: int, instance: str) -> tuple[str, str]:
    """``hyperpod-i-0123456789abcdef0``, and
    ``aws:///usw2-az1/sagemaker/cluster/hyperpod-abcdefghijkl-i-0123456789abcdef0``."""
    where = blueprint.network.zone_ids.get(zone, zone)
    cluster = digest(blueprint.stack)[:_CLUSTER_ID]
    return f"hyperpod-{instance}", f"aws:///{where}/sagemaker/cluster/hyperpod-{cluster}-{instance}"


def _labels(blueprint: Blueprint, group: HyperPodGroup) -> dict[str, str]:
    """The labels that HyperPod sets on a healthy node."""
    checks = {DEEP_CHECKS: DeepChecks.PASSED.value} if group.described.hyperpod.deep_health_checks else {}
    return {**identity_labels(blueprint, group.name), NODE_HEALTH: Health.SCHEDULABLE.value, **checks}


def _disk_gib(group: HyperPodGroup) -> int:
    return group.described.hyperpod.volume.size.gib


NODES = BackendNodes(identity=_identity, labels=_labels, disk_gib=_disk_gib, image_of_eks=False)
