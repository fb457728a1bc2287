"""Labels and taints that follow from a group's purpose and hardware."""

from muster.config.description.node_group import Purpose
from muster.fleet.resources import Taint
from muster.hardware.catalogue import Hardware

GROUP = "muster/group"
"""The group's name: what jobs and launchers select by."""

PURPOSE = "muster/purpose"

INSTANCE_TYPE = "node.kubernetes.io/instance-type"
"""Set by the kubelet's cloud provider, not by us."""

ZONE = "topology.kubernetes.io/zone"
"""Likewise."""


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
    """The node labels of a group; the user's own win."""
    return {GROUP: group, PURPOSE: purpose.value, **own}


def taints(hardware: Hardware, own: dict[str, str]) -> frozenset[Taint]:
    """Accelerated nodes carry their resource's name as taint (the EKS and NVIDIA convention), so nothing lands there
    by accident; the user's own taints (key -> effect) come beside it."""
    derived = {hardware.resource_name: "NoSchedule"} if hardware.resource_name else {}
    return frozenset(Taint(key, "true", effect) for key, effect in {**derived, **own}.items())
