"""Labels and taints that follow from a group's purpose and hardware."""

from typing import TYPE_CHECKING

from muster.config.description.node_group import Purpose
from muster.fleet.resources import Taint
from muster.hardware.catalogue import Hardware

if TYPE_CHECKING:
    from muster.blueprint.cluster import Blueprint
    from muster.blueprint.group import KubernetesGroup

GROUP = "muster/group"
"""The group's name: what jobs and launchers select by."""

PURPOSE = "muster/purpose"

INSTANCE_TYPE = "node.kubernetes.io/instance-type"
"""The kubelet's cloud provider sets this label, not Muster."""

ZONE = "topology.kubernetes.io/zone"
"""The kubelet's cloud provider also sets this label."""

HOST_NAME = "kubernetes.io/hostname"
"""The kubelet sets this label."""


def kubernetes_architecture(hardware: Hardware) -> str:
    """``amd64`` or ``arm64``."""
    return "arm64" if hardware.architecture == "arm64" else "amd64"


def machine_labels(hardware: Hardware, instance_type: str) -> dict[str, str]:
    """The labels that every node of a type has, on any backend.

    Args:
        hardware: the machine.
        instance_type: the type's name in the node's label; HyperPod's begins with ``ml.``.
    """
    return {
        INSTANCE_TYPE: instance_type,
        "beta.kubernetes.io/instance-type": instance_type,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": kubernetes_architecture(hardware),
    }


def labels(group: str, purpose: Purpose, own: dict[str, str]) -> dict[str, str]:
    """The node labels of a group; the user's labels override the others."""
    return {GROUP: group, PURPOSE: purpose.value, **own}


def taints(hardware: Hardware, own: dict[str, str]) -> frozenset[Taint]:
    """The taints of a group. Nodes with accelerators have a taint with the name of their resource (the convention of
    EKS and NVIDIA), so that no other pods run there by accident. The user's taints (key -> effect) are added."""
    derived = {hardware.resource_name: "NoSchedule"} if hardware.resource_name else {}
    return frozenset(Taint(key, "true", effect) for key, effect in {**derived, **own}.items())


CLIQUE, ULTRASERVER = "nvidia.com/gpu.clique", "topology.k8s.aws/ultraserver-id"
"""The labels that the nodes of one UltraServer share.

NVIDIA's GPU feature discovery labels nodes that NVLink connects with the same `nvidia.com/gpu.clique` (EKS user guide,
"Use P6e-GB200 UltraServers with Amazon EKS"). HyperPod sets the same `topology.k8s.aws/ultraserver-id` (SageMaker
guide, "Using topology-aware scheduling in Amazon SageMaker HyperPod").
"""


def nvlink_label(blueprint: "Blueprint") -> str:
    """The label that the nodes of one NVLink domain share."""
    return ULTRASERVER if blueprint.hyperpod is not None else CLIQUE


def nodes_of_one(group: "KubernetesGroup") -> int:
    """How many nodes of a group are in one UltraServer. A training plan may keep some of its instances as spares."""
    of_type, held = group.described.ultraserver, group.described.capacity.held
    assert of_type is not None, "the group has UltraServers"
    number = max(1, held.count // of_type.instances) if held else 1
    return -(-group.described.nodes.max // number)
