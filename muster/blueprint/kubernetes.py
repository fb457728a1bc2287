"""The blueprint of a cluster with a Kubernetes control plane, on EKS or HyperPod."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from muster.blueprint.cluster import ClusterBlueprint, Group, PlacementGroup, once_each
from muster.blueprint.node import Node
from muster.blueprint.user_data import Boot
from muster.config.identifiers import aws_name_stem
from muster.fleet.resources import (
    CapacityBlockPurchase,
    ComputeQuota,
    ControlPlane,
    EksAddon,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    LifecycleBundle,
    NodeGroup,
    Reference,
    ReservationGroup,
    SecurityGroup,
    Taint,
    TrackingServer,
)
from muster.fleet.resources.fleet import Judged

if TYPE_CHECKING:
    from muster.config.description.group import Group as GroupDescription
    from muster.config.description.kubernetes_cluster import KubernetesCluster


def minor_version(kubernetes: str) -> int:
    """``1.35`` -> 35. Every Kubernetes release has the major version 1."""
    return int(kubernetes.partition(".")[2])  # number: a version in EKS's calendar


@dataclass(frozen=True, slots=True)
class KubernetesGroup(Group):
    """One group of nodes of Kubernetes."""

    described: "GroupDescription"
    node: Node

    @property
    @abstractmethod
    def resource(self) -> NodeGroup | InstanceGroup:
        """The group as rules judge it."""

    @property
    def subnets(self) -> tuple[Reference, ...]:
        """Sorted."""
        return self.resource.subnets

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of its nodes when they join; Kubernetes and the service add theirs."""
        return dict(self.resource.labels)

    @property
    def taints(self) -> frozenset[Taint]:
        """The taints of its nodes when they join."""
        return self.resource.taints

    @property
    def decides_size(self) -> bool:
        """Whether the description sets the number of running nodes. If not, an autoscaler or a person sets it on the
        live cluster, within the bounds. A Capacity Block's group starts when the description states that the block has
        begun."""
        return self.described.nodes.fixed or self.described.capacity.capacity_block is not None


@dataclass(frozen=True, slots=True)
class HyperPodGroup(KubernetesGroup):
    """An instance group of HyperPod."""

    described: "GroupDescription"
    instance_group: InstanceGroup

    @property
    def resource(self) -> InstanceGroup:
        """The group as rules judge it."""
        return self.instance_group

    @property
    def in_ec2(self) -> bool:
        """False: its instances belong to SageMaker."""
        return False

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        return (self.instance_group,)


@dataclass(frozen=True, slots=True)
class EksGroup(KubernetesGroup):
    """One node group of EKS with everything it needs."""

    described: "GroupDescription"
    node_group: NodeGroup
    template: LaunchTemplate
    placement_group: PlacementGroup | None
    boot: Boot
    """The settings of its nodes at boot."""
    reservation_group: ReservationGroup | None = None
    """A resource group that Muster creates for it."""
    purchase: CapacityBlockPurchase | None = None
    """A Capacity Block that Muster buys for it."""

    @property
    def resource(self) -> NodeGroup:
        """The group as rules judge it."""
        return self.node_group

    @property
    def by_karpenter(self) -> bool:
        """Whether Karpenter creates its nodes, also the Karpenter of EKS Auto Mode."""
        return self.node_group.pool is not None

    @property
    def made_as(self) -> str:
        """The name that it had before, if the description sets one; its resources keep that name."""
        return self.described.was or self.name

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        placement = self.placement_group.judged(self.made_as, self.name) if self.placement_group else None
        every = (self.template, self.node_group, placement, self.reservation_group)
        return tuple(each for each in every if each)


@dataclass(frozen=True, slots=True)
class HyperPod:
    """The HyperPod cluster of a blueprint."""

    cluster: HyperPodCluster
    bundle: LifecycleBundle | None
    """The scripts that Muster uploads to a bucket; None if every group has other scripts or none."""
    quotas: tuple[ComputeQuota, ...] = ()
    """The quotas of teams, sorted by team."""
    tracking_server: TrackingServer | None = None
    """The tracking server of managed MLflow."""
    execution_role: str | None = None
    """The ARN of an existing role of the instances; None if Muster creates one."""
    cluster_role: str | None = None
    """The ARN of an existing role of Karpenter; None if Muster creates one, or there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blueprint(ClusterBlueprint):
    """One cluster with a Kubernetes control plane, derived."""

    described: "KubernetesCluster"
    groups: tuple[KubernetesGroup, ...]
    control_plane: ControlPlane
    efa_security_group: SecurityGroup | None
    """The security group of EFA traffic; None if no group has EFA interfaces."""
    eks_addons: tuple[EksAddon, ...]
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Key below `addons:` (``mpi-operator``, ``charts.RELEASE``) -> the stack that installs it, for the add-ons that
    other stacks of the cluster install."""
    by_outputs: bool = False
    """Whether only the cluster's outputs are known; then the values of add-ons of other stacks are unknown."""
    hyperpod: HyperPod | None = None
    """The HyperPod cluster, on that backend."""
    cluster_stack: str = ""
    """The stack that creates the cluster: this one, unless this one has only add-ons for it."""

    @property
    def name_stem(self) -> str:
        """The cluster's name, if it is valid for Muster's resources; an existing cluster may have any name that EKS
        accepts."""
        return aws_name_stem(self.cluster_name)

    @property
    def purchases(self) -> tuple[CapacityBlockPurchase, ...]:
        """The Capacity Blocks to buy, each once, regardless of the number of its groups."""
        return once_each(group.purchase for group in self.eks_groups)

    @property
    def eks_groups(self) -> tuple[EksGroup, ...]:
        """The node groups of EKS."""
        return tuple(group for group in self.groups if isinstance(group, EksGroup))

    @property
    def karpenter_groups(self) -> tuple[EksGroup, ...]:
        """The groups whose nodes Karpenter creates, also the Karpenter of EKS Auto Mode."""
        return tuple(group for group in self.eks_groups if group.by_karpenter)

    @property
    def auto_mode(self) -> bool:
        """Whether the cluster has EKS Auto Mode on."""
        return any(group.described.by_auto_mode for group in self.eks_groups)

    @property
    def instance_groups(self) -> tuple[HyperPodGroup, ...]:
        """The instance groups of HyperPod, sorted by name: the engine's configuration is sorted and a file is not, and
        SageMaker receives the groups as a list."""
        groups = (group for group in self.groups if isinstance(group, HyperPodGroup))
        return tuple(sorted(groups, key=lambda group: group.name))

    @property
    def hyperpod_cluster(self) -> HyperPodCluster | None:
        """The HyperPod cluster, on that backend."""
        return self.hyperpod.cluster if self.hyperpod else None

    @property
    def hyperpod_groups(self) -> tuple[InstanceGroup, ...]:
        """The instance groups as rules judge them."""
        return tuple(group.instance_group for group in self.instance_groups)

    def group(self, name: str) -> KubernetesGroup:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules evaluate, except file systems and add-ons."""
        own = (each.security_group for each in self.storage)
        groups = (self.efa_security_group, self.network.registry_endpoints, *own)
        return (
            self.control_plane,
            *self.network.counted,
            *(group for group in groups if group),
            *self.eks_addons,
            *self.purchases,
            *((self.hyperpod.cluster,) if self.hyperpod else ()),
            *((self.hyperpod.bundle,) if self.hyperpod and self.hyperpod.bundle else ()),
            *(self.hyperpod.quotas if self.hyperpod else ()),
            *((self.hyperpod.tracking_server,) if self.hyperpod and self.hyperpod.tracking_server else ()),
            *(thing for group in self.groups for thing in group.judged),
        )
