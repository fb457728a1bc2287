"""The description of a cluster on SageMaker HyperPod, orchestrated by EKS."""

from typing import Self

from pydantic import model_validator

from muster.config.description.base import HYPERPOD
from muster.config.description.group import Group
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.description.node_group import check_huge_pages
from muster.config.description.of_backend import model_on
from muster.hardware.catalogue import hardware
from muster.hardware.huge_pages import default_for
from muster.hardware.interfaces import service_slots


@model_on(HYPERPOD)
class HyperPodGroup(Group):
    """One instance group of a HyperPod cluster. Write the instance type as EC2 does: Muster adds `ml.`."""

    @model_validator(mode="after")
    def _fits_its_hardware(self) -> Self:
        machine = hardware(self.instance)
        nics = service_slots(machine, self.layout)
        pages = default_for(sum(slot.is_efa for slot in nics)) if self.huge_pages is None else self.huge_pages
        check_huge_pages(pages, machine, nics)
        return self


@model_on(HYPERPOD)
class HyperPodCluster(KubernetesCluster):
    """A training cluster on SageMaker HyperPod, orchestrated by EKS: `muster:cluster` with `backend: hyperpod`."""
