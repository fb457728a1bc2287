"""The description of a cluster on SageMaker HyperPod, orchestrated by EKS."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from muster.config.description.base import HYPERPOD, Change, key
from muster.config.description.group import Group
from muster.config.description.hyperpod_settings import HyperPod
from muster.config.description.kubernetes_cluster import MOST_TAGS, KubernetesCluster, KubernetesVersion
from muster.config.description.node_group import check_huge_pages
from muster.config.description.of_backend import model_on
from muster.config.identifiers import GroupName, TagKey, TagValue
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

    backend: Literal["hyperpod"] = key("Service that runs the cluster: hyperpod.", Change.REPLACES)
    kubernetes: KubernetesVersion = key(
        'Kubernetes version, in quotes: "1.35". Raise it by one minor version at a time. Nodes keep their version '
        "until you update their image (`aws sagemaker update-cluster-software`, or `updates` of a group).",
        Change.IN_PLACE,
    )
    tags: dict[TagKey, TagValue] = key(
        "AWS tags on every resource that supports tags. Default: none.",
        Change.IN_PLACE,
        default={},
        max_length=MOST_TAGS,
    )
    groups: Annotated[dict[GroupName, HyperPodGroup], Field(min_length=1, max_length=100)] = key(
        "Instance groups by name. If you rename a group, Muster creates a new one.", Change.REPLACES
    )
    hyperpod: HyperPod = key("Settings of the HyperPod cluster itself.", Change.IN_PLACE, default=HyperPod())
