"""The description of a cluster on SageMaker HyperPod, orchestrated by EKS."""

from typing import Annotated, Literal

from pydantic import Field

from muster.config.description.base import Change, field
from muster.config.description.hyperpod_settings import HyperPod
from muster.config.description.instance_group import InstanceGroup
from muster.config.description.kubernetes_cluster import MOST_TAGS, KubernetesCluster, KubernetesVersion
from muster.config.identifiers import GroupName, TagKey, TagValue


class HyperPodCluster(KubernetesCluster):
    """A training cluster on SageMaker HyperPod, orchestrated by EKS: `muster:cluster` with `backend: hyperpod`."""

    backend: Literal["hyperpod"] = field("Which service runs the cluster.", Change.REPLACES)
    kubernetes: KubernetesVersion = field(
        'The Kubernetes version, in quotes: "1.35". One minor version up at a time; nodes keep theirs until their '
        "image is updated (`aws sagemaker update-cluster-software`, or a group's `updates`).",
        Change.IN_PLACE,
    )
    tags: dict[TagKey, TagValue] = field(
        "AWS tags on all that takes them.", Change.IN_PLACE, default={}, max_length=MOST_TAGS
    )
    groups: Annotated[dict[GroupName, InstanceGroup], Field(min_length=1, max_length=100)] = field(
        "Instance groups by name; one that is renamed is a new one.", Change.REPLACES
    )
    hyperpod: HyperPod = field("The HyperPod cluster itself.", Change.IN_PLACE, default=HyperPod())
