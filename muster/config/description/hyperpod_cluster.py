"""The description of a cluster on SageMaker HyperPod, orchestrated by EKS."""

from typing import Annotated, Literal

from pydantic import Field

from muster.config.description.base import HYPERPOD, Change, key
from muster.config.description.hyperpod_settings import HyperPod
from muster.config.description.instance_group import InstanceGroup
from muster.config.description.kubernetes_cluster import MOST_TAGS, KubernetesCluster, KubernetesVersion
from muster.config.description.of_backend import model_on
from muster.config.identifiers import GroupName, TagKey, TagValue


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
    groups: Annotated[dict[GroupName, InstanceGroup], Field(min_length=1, max_length=100)] = key(
        "Instance groups by name. If you rename a group, Muster creates a new one.", Change.REPLACES
    )
    hyperpod: HyperPod = key("Settings of the HyperPod cluster itself.", Change.IN_PLACE, default=HyperPod())
