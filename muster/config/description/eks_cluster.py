"""The description of a cluster on EKS."""

from typing import ClassVar, Literal

from muster.config.description.base import EKS, Change, key
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.description.node_group import Group
from muster.config.description.of_backend import model_on
from muster.config.identifiers import GroupName


@model_on(EKS)
class EksCluster(KubernetesCluster):
    """A training cluster on EKS: `muster:cluster` with `backend: eks`."""

    backend: Literal["eks"] = key("Service that runs the cluster: eks.", Change.REPLACES)
    groups: dict[GroupName, Group] = key(
        "Node groups by name. If you rename a group, Muster creates a new one.", Change.REPLACES, min_length=1
    )
    hyperpod: ClassVar[None] = None
