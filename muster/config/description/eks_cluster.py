"""The description of a cluster on EKS."""

from typing import Any, Self

from pydantic import model_validator

from muster.config.description.base import EKS
from muster.config.description.group import Group
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.description.node_group import (
    LocalStorage,
    Provisioner,
    Purpose,
    check_huge_pages,
    check_reservations,
)
from muster.config.description.node_settings import MOST_NODES, Nodes, Scaler
from muster.config.description.of_backend import model_on
from muster.hardware.catalogue import hardware, instance_types
from muster.hardware.interfaces import Layout, slots
from muster.size import Size

_KARPENTERS = (Provisioner.KARPENTER, Provisioner.AUTO_MODE)

_BY_AUTO_MODE = {"image": "bottlerocket"}


def _disks_of_auto_mode(instance: Any) -> str:
    """EKS Auto Mode makes one array of all NVMe disks (EKS user guide, automode-learn-instances)."""
    known = instance in instance_types() and hardware(instance).nvme_gb
    return (LocalStorage.RAID0 if known else LocalStorage.NONE).value


@model_on(EKS)
class EksGroup(Group):
    """One node group of EKS."""

    @model_validator(mode="after")
    def _fits_its_hardware(self) -> Self:
        """Checks that huge pages leave memory to pods, and that an instance with a disk array has disks."""
        machine = hardware(self.instance)
        if self.local_storage is LocalStorage.RAID0 and machine.nvme_gb == 0:
            raise ValueError(f"{self.instance} has no NVMe disks for local-storage: raid0; remove local-storage")
        check_huge_pages(self.huge_pages or Size(0), machine, slots(machine, self.layout))
        check_reservations(self.kubelet, self.huge_pages or Size(0), machine, slots(machine, self.layout))
        return self

    @model_validator(mode="before")
    @classmethod
    def _decided_by_auto_mode(cls, value: Any) -> Any:
        """EKS Auto Mode decides about the image, which is Bottlerocket, and the disks."""
        if not isinstance(value, dict) or value.get("provisioned-by") != Provisioner.AUTO_MODE:
            return value
        return {**value, **_BY_AUTO_MODE, "local-storage": _disks_of_auto_mode(value.get("instance"))}

    @model_validator(mode="before")
    @classmethod
    def _most_nodes_of_karpenter(cls, value: Any) -> Any:
        """A single number is the most nodes that Karpenter creates: it starts with none."""
        if not isinstance(value, dict) or value.get("provisioned-by") not in _KARPENTERS:
            return value
        most = value.get("nodes")
        if type(most) is not int or not 1 <= most <= MOST_NODES:
            return value
        return {**value, "nodes": {"min": 0, "start": 0, "max": most, "scaled-by": Scaler.AUTOSCALER.value}}

    @property
    def node_creator(self) -> str:
        """What creates its nodes, as users know it."""
        if self.by_auto_mode:
            return "EKS Auto Mode"
        return "Karpenter" if self.by_karpenter else "Auto Scaling"

    @property
    def nodes_now(self) -> Nodes:
        """The node counts that Muster sends to AWS: `min` and `start` are 0 until the Capacity Block begins."""
        block = self.capacity.capacity_block
        return self.nodes if block is None or block.active else self.nodes.model_copy(update={"min": 0, "start": 0})

    @property
    def layout(self) -> Layout:
        """The interface layout: `interfaces`; otherwise aws for training and plain for others."""
        if self.interfaces is not None:
            return self.interfaces
        return Layout.AWS if self.purpose is Purpose.TRAINING else Layout.PLAIN


@model_on(EKS)
class EksCluster(KubernetesCluster):
    """A training cluster on EKS: `muster:cluster` with `backend: eks`."""
