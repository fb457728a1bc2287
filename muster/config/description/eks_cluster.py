"""The description of a cluster on EKS."""

from typing import ClassVar, Literal

from muster.config.description.base import Change, field
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.description.node_group import Group
from muster.config.identifiers import GroupName


class EksCluster(KubernetesCluster):
    """A training cluster on EKS: `muster:cluster` with `backend: eks`."""

    backend: Literal["eks"] = field("Service that runs the cluster: eks.", Change.REPLACES)
    groups: dict[GroupName, Group] = field(
        "Node groups by name. If you rename a group, Muster creates a new one.", Change.REPLACES, min_length=1
    )
    hyperpod: ClassVar[None] = None
