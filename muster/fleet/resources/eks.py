"""EKS and Kubernetes: control planes, node groups, add-ons, pods."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic

from muster.config.description.network import CUSTOM_NETWORKING
from muster.fleet.resources.ec2 import CapacityTarget
from muster.fleet.resources.group import DescribedGroup
from muster.fleet.resources.ref import Place, Ref, Reference
from muster.plain_data import value_at
from muster.scheduling.requirements import Requirement
from muster.scheduling.taints import Taint
from muster.unknown import Observed, U


@dataclass(frozen=True, slots=True)
class ControlPlane(Observed, Generic[U]):
    """An EKS cluster."""

    ref: Ref
    kubernetes: str | None | U
    """``1.35``; None where the program leaves it to EKS."""
    subnets: tuple[Reference, ...] | U
    """Sorted: AWS keeps them as a set."""
    place: Place = field(compare=False)
    security_groups: tuple[Reference, ...] | U = ()
    """Groups on the control plane's interfaces beside the one that EKS makes. Sorted."""
    endpoint_public: bool | U = True
    """AWS's own default."""
    public_networks: tuple[str, ...] | U = ()
    """Sorted; empty for the whole world, where the endpoint is public."""
    name: str | None | U = None
    role: Reference | None | U = None
    """Its role, by ARN if the program neither creates nor reads it."""
    existing: bool = False
    """It was there before: the program registers nothing of it, and cannot change it."""
    authentication: str | None | U = None
    """`authenticationMode`: ``API``, ``API_AND_CONFIG_MAP`` or ``CONFIG_MAP``; None where it is not set."""
    vpc: Reference | None = field(default=None, compare=False)
    """The VPC of the description that joins an existing one."""

    @property
    def root(self) -> Place:
        """Where the whole cluster is described."""
        return self.place


@dataclass(frozen=True, slots=True)
class EksAddon(Observed, Generic[U]):
    """An EKS add-on (`aws.eks.Addon`)."""

    ref: Ref
    name: str | U
    version: str | None | U
    """``v1.22.1-eksbuild.1``; None where EKS chooses."""
    place: Place = field(compare=False)
    values: Mapping[str, Any] | U = field(default_factory=dict, hash=False)
    """Its `configurationValues`."""

    @property
    def prefix_delegation(self) -> bool:
        """Of the VPC CNI: whether it gives interfaces prefixes of sixteen addresses instead of single ones."""
        return self._is_on("ENABLE_PREFIX_DELEGATION")

    @property
    def custom_networking(self) -> bool:
        """Of the VPC CNI: whether pods get addresses of other subnets than their nodes."""
        return self._is_on(CUSTOM_NETWORKING)

    @property
    def pod_subnets(self) -> Mapping[str, Any]:
        """Of the VPC CNI: the zones (or the names of other ENIConfigs) for which its values name a subnet of pods."""
        given = value_at(self.values, "eniConfig", "subnets")
        named = given.items() if isinstance(given, Mapping) else ()
        return {name: each for name, each in named if isinstance(each, Mapping) and "id" in each}

    def _is_on(self, switch: str) -> bool:
        return str(value_at(self.values, "env", switch)).lower() == "true"


@dataclass(frozen=True, slots=True)
class AccessEntry(Observed, Generic[U]):
    """An IAM principal that may use the Kubernetes API; not the role of nodes."""

    ref: Ref
    principal: Reference | U
    groups: tuple[str, ...] | U
    """Its groups in Kubernetes. Sorted: AWS keeps them as a set."""
    place: Place = field(compare=False)


CLUSTER_ADMIN, ADMIN, EDIT = "AmazonEKSClusterAdminPolicy", "AmazonEKSAdminPolicy", "AmazonEKSEditPolicy"
ACCESS_POLICIES = {"cluster-admin": CLUSTER_ADMIN, "admin": ADMIN, "edit": EDIT, "view": "AmazonEKSViewPolicy"}
"""The access policies for people: the word of a description -> EKS's name."""


@dataclass(frozen=True, slots=True)
class AccessPolicyGrant(Observed, Generic[U]):
    """An access policy for people that a principal has."""

    ref: Ref
    principal: Reference | U
    policy: str | U
    """``AmazonEKSEditPolicy``."""
    namespaces: tuple[str, ...] | U
    """Sorted; empty for all."""
    place: Place = field(compare=False)


ROLE_OF_NODES = "nodeRoleArn"
"""The property of a managed group with the role of its nodes, and of a self-managed one in a file of eksctl."""
EKS_EFFECTS = {"NoSchedule": "NO_SCHEDULE", "PreferNoSchedule": "PREFER_NO_SCHEDULE", "NoExecute": "NO_EXECUTE"}
"""A taint's effect in Kubernetes' words -> in EKS's."""


@dataclass(frozen=True, slots=True)
class NodePool(Observed, Generic[U]):
    """What a NodePool of Karpenter has beside what it shares with node groups."""

    capacity_types: tuple[str, ...] | U = ()
    """``reserved``, ``on-demand``, ``spot``, sorted; empty where no requirement names them."""
    reservations: tuple[Reference, ...] | U = ()
    """The reservations and Capacity Blocks that its EC2NodeClass selects. Sorted."""
    expire_after: str | None | U = None
    """``Never``, ``720h``; None where it is not set, which means 720h, and 336h in EKS Auto Mode."""
    consolidation: str | None | U = None
    """``WhenEmpty``, ``WhenEmptyOrUnderutilized`` or ``Balanced``; None where it is not set: the second."""
    consolidate_after: str | None | U = None
    """``Never``, ``10m``; None where it is not set, which means at once."""
    static: bool = False
    """Whether it states `replicas`: Karpenter never consolidates such a pool."""
    of_auto_mode: bool | U = False
    """Whether EKS Auto Mode runs it."""
    requirements: tuple[Requirement | U, ...] | U = ()
    """Its requirements, in its order. `Gte` and `Lte` are written as `Gt` and `Lt`."""


@dataclass(frozen=True, slots=True)
class RepairLimit(Observed, Generic[U]):
    """One limit of `nodeRepairConfig`."""

    name: str
    """``maxParallelNodesRepairedCount``."""
    number: int | U


@dataclass(frozen=True, slots=True)
class NodeGroup(DescribedGroup[U]):
    """A node group. A self-managed one has no fields for its image: the template sets it.

    A NodePool of Karpenter is also a node group: its template is its EC2NodeClass, its instance types are those of its
    requirements, and it has from 0 nodes to its limit.
    """

    ref: Ref
    template: Reference | None | U
    instance_types: tuple[str, ...] | U
    """The group's list; empty where the launch template sets the type. A self-managed group's (`overrides` of its
    mixed instances policy) goes before the template's."""
    subnets: tuple[Reference, ...] | U
    """Sorted."""
    ami_type: str | None | U
    capacity_type: str | None | U
    nodes_min: int | U
    nodes_start: int | U
    nodes_max: int | U
    disk_size: int | None | U
    release_version: str | None | U
    version: str | None | U
    labels: frozenset[tuple[str, str]] | U
    """Unknown, as the taints are, as soon as a part of them is."""
    taints: frozenset[Taint] | U
    place: Place = field(compare=False)
    update_strategy: str | None | U = None
    """``MINIMAL`` ends old nodes before it launches new ones."""
    repair: bool | None | U = None
    """Whether EKS replaces or reboots unhealthy nodes."""
    repair_limits: tuple[RepairLimit[U], ...] = ()
    """The limits of `nodeRepairConfig` that are set, by name."""
    max_unavailable: int | None | U = None
    max_unavailable_percentage: int | None | U = None
    managed: bool = True
    """False for a self-managed Auto Scaling group, and for a NodePool."""
    pool: NodePool[U] | None = None
    """What only a NodePool of Karpenter has; None of other groups."""
    zero_at: tuple[str, ...] | U = ()
    """When a schedule sets a self-managed group to no nodes: ISO 8601, UTC. Sorted."""
    target: CapacityTarget[U] | None = None
    """A self-managed group's setting for reservations: it goes before its template's. None where it is not set."""
    role: Reference | None | U = None
    """The role of the nodes, by ARN if it is not the program's own; None where only an instance profile names it, as
    that of a self-managed group."""

    @property
    def drained_by_its_service(self) -> bool:
        """Whether its nodes are drained before a Capacity Block ends without a schedule: EKS does this for managed
        groups, Karpenter for its own nodes."""
        return self.managed or self.pool is not None

    @property
    def of_auto_mode(self) -> bool:
        """Whether EKS Auto Mode creates its nodes. It replaces each of them within 21 days, whatever `expireAfter` is
        (EKS user guide, automode)."""
        return self.pool is not None and self.pool.of_auto_mode is True


class AddonKind(StrEnum):
    """What is registered for an add-on."""

    CHART = "chart"
    MANIFEST = "manifest"
    EKS_ADDON = "eks-addon"


@dataclass(frozen=True, slots=True)
class Addon(Observed, Generic[U]):
    """One add-on, by its logical name: one of Muster's, or a chart that the user adds."""

    ref: Ref
    version: str | None | U
    """Of its chart, manifest or EKS add-on."""
    place: Place = field(compare=False)
    kind: AddonKind = AddonKind.CHART
    chart: str | U = ""
    """The chart's name, without a registry's; of an EKS add-on EKS's name; of a manifest the add-on's own."""
    values: Mapping[str, Any] | U = field(default_factory=dict, hash=False)
    """What the chart or the EKS add-on is given; the rest are its defaults. Of a manifest nothing."""
    installed_by: str | None = field(default=None, compare=False)
    """The stack that installs it, where that is not the one that is judged."""
    apart: str | None = field(default=None, compare=False)
    """The stack that installs it, where that is not the cluster's own: it comes after all that the cluster has."""
    derived: Mapping[str, Any] = field(default_factory=dict, compare=False, hash=False)
    """What follows from the cluster where the description has values of its own, before these are merged over it."""
    before_addons: bool = field(default=False, compare=False)
    """Whether it is a chart of the description's own that is installed before the add-ons."""
    controller: str | None = field(default=None, compare=False)
    """The GitOps tool that applies it; None where a program or EKS does."""


@dataclass(frozen=True, slots=True)
class PodTemplate(Observed, Generic[U]):
    """One kind of pod that an object makes."""

    path: str
    """The path of the pod's spec in the object: ``spec.template.spec``."""
    spec: Mapping[str, Any] | U = field(hash=False)
    """As Kubernetes has it; anything inside may be unknown."""
    pods: int | U = 1
    """How many pods are made of it to work together."""


@dataclass(frozen=True, slots=True)
class PodOwner(Observed, Generic[U]):
    """A Kubernetes object that is a pod, or makes pods: a Deployment, a Job, a PyTorchJob."""

    ref: Ref
    kind: str
    """``PyTorchJob``."""
    templates: tuple[PodTemplate[U], ...]
    """In the object's order."""
    place: Place = field(compare=False)
    name: str | None | U = None
    """As Kubernetes has it; None where the engine makes one up of the resource's."""
    processes: int | None | U = None
    """How many processes the job starts in each of its pods; None if it sets no number."""
    nodes_least: int | None | U = None
    """How many pods an elastic job needs; None if it is not elastic."""
    nodes_most: int | None | U = None
    grows: bool | U = False
    """Whether a HorizontalPodAutoscaler raises the number of pods of an elastic job to its minimum."""
    launcher_works: bool | U = False
    """Whether the launcher of an MPIJob is also a worker."""
