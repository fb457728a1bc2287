"""The nodes of EKS's node groups in a rehearsal."""

from muster.blueprint.karpenter import CAPACITY_TYPE, COMPUTE_TYPE, NODE_CLASS_LABEL, NODE_POOL_LABEL, capacity_type
from muster.blueprint.kubernetes import Blueprint, EksGroup
from muster.config.description.node_group import LocalStorage
from muster.rehearsal.kubernetes.nodes import BackendNodes

_GIB_OF_GB = 10**9 / 2**30


def _identity(_blueprint: Blueprint, group: EksGroup, zone: str, index: int, instance: str) -> tuple[str, str]:
    return f"{group.name}-{index}", f"aws:///{zone}/{instance}"


def _labels(_blueprint: Blueprint, group: EksGroup) -> dict[str, str]:
    """EKS's, on the nodes of managed groups; Karpenter's, on its own nodes."""
    if group.by_karpenter:
        auto = group.described.by_auto_mode
        return {
            NODE_POOL_LABEL: group.made_as,
            CAPACITY_TYPE: capacity_type(group.described),
            **({COMPUTE_TYPE: "auto"} if auto else {NODE_CLASS_LABEL: group.made_as}),
        }
    if not group.node_group.managed:
        return {}
    return {
        "eks.amazonaws.com/nodegroup": f"{group.name}-rehearsal",
        "eks.amazonaws.com/capacityType": str(group.node_group.capacity_type or "ON_DEMAND"),
    }


def _disk_gib(group: EksGroup) -> int:
    """The root volume, or the NVMe array that replaces it."""
    machine, described = group.node.hardware, group.described
    if described.local_storage is LocalStorage.RAID0 and machine.nvme_gb:
        return int(machine.nvme_gb * _GIB_OF_GB)
    return described.volume.size.gib


NODES = BackendNodes(identity=_identity, labels=_labels, disk_gib=_disk_gib, image_of_eks=True)
