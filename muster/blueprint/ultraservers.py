"""The nodes of UltraServers: which of a group are in the same one, and the labels that show it.

NVIDIA's GPU feature discovery labels nodes that NVLink connects with the same `nvidia.com/gpu.clique` (EKS user guide,
"Use P6e-GB200 UltraServers with Amazon EKS"). HyperPod sets the same `topology.k8s.aws/ultraserver-id` (SageMaker
guide, "Using topology-aware scheduling in Amazon SageMaker HyperPod").
"""

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup

CLIQUE, ULTRASERVER = "nvidia.com/gpu.clique", "topology.k8s.aws/ultraserver-id"


def nvlink_label(blueprint: Blueprint) -> str:
    """The label that the nodes of one NVLink domain share."""
    return ULTRASERVER if blueprint.hyperpod is not None else CLIQUE


def nodes_of_one(group: KubernetesGroup) -> int:
    """How many nodes of a group are in one UltraServer. A training plan may keep some of its instances as spares."""
    of_type, held = group.described.ultraserver, group.described.capacity.held
    assert of_type is not None, "the group has UltraServers"
    number = max(1, held.count // of_type.instances) if held else 1
    return -(-group.described.nodes.max // number)
