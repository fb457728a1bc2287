"""Nodes of a rehearsal as their service makes them: EKS's node groups, and HyperPod."""

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import EksGroup, HyperPodGroup
from muster.blueprint.hyperpod.node_labels import DEEP_CHECKS, NODE_HEALTH, DeepChecks, Health, identity_labels
from muster.blueprint.karpenter import CAPACITY_TYPE, COMPUTE_TYPE, NODE_CLASS_LABEL, NODE_POOL_LABEL, capacity_type
from muster.config.description.node_group import LocalStorage
from muster.rehearsal.kubernetes.nodes import BackendNodes, digest

_GIB_OF_GB = 10**9 / 2**30


def _eks_identity(_blueprint: Blueprint, group: EksGroup, zone: str, index: int, instance: str) -> tuple[str, str]:
    return f"{group.name}-{index}", f"aws:///{zone}/{instance}"


def _eks_labels(_blueprint: Blueprint, group: EksGroup) -> dict[str, str]:
    """EKS's, on the nodes of managed groups; Karpenter's, on its own nodes."""
    if group.described.by_karpenter:
        auto = group.described.by_auto_mode
        return {
            NODE_POOL_LABEL: group.made_as,
            CAPACITY_TYPE: capacity_type(group.described),
            **({COMPUTE_TYPE: "auto"} if auto else {NODE_CLASS_LABEL: group.made_as}),
        }
    if not group.resource.managed:
        return {}
    return {
        "eks.amazonaws.com/nodegroup": f"{group.name}-rehearsal",
        "eks.amazonaws.com/capacityType": str(group.resource.capacity_type or "ON_DEMAND"),
    }


def _eks_disk_gib(group: EksGroup) -> int:
    """The root volume, or the NVMe array that replaces it."""
    machine, described = group.node.hardware, group.described
    if described.local_storage is LocalStorage.RAID0 and machine.nvme_gb:
        return int(machine.nvme_gb * _GIB_OF_GB)
    return described.volume.size.gib


EKS = BackendNodes(identity=_eks_identity, labels=_eks_labels, disk_gib=_eks_disk_gib, image_of_eks=True)


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


HYPERPOD = BackendNodes(identity=_identity, labels=_labels, disk_gib=_disk_gib, image_of_eks=False)
