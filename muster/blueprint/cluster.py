"""The blueprint: everything that follows from a description, derived once, complete, and pure data.

`infra/` and `addons/` register its resources, rules judge it, and jobs are sized by it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from typing_extensions import TypeVar

from muster.blueprint.account_references import find_references
from muster.blueprint.group import (
    EksGroup,
    Group,
    HyperPodGroup,
    HyperPodSlurmGroup,
    KubernetesGroup,
    ParallelClusterGroup,
    PcsGroup,
    SlurmGroup,
)
from muster.blueprint.logical_names import NODE_ROLES
from muster.blueprint.slurm import JobEnvironment, SlurmQueue
from muster.config.description.node_group import Tier
from muster.config.identifiers import aws_name_stem
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    AccessEntry,
    AccessPolicyGrant,
    Addon,
    CapacityBlockPurchase,
    ComputeNodeGroup,
    ComputeQuota,
    ControlPlane,
    CountedResource,
    EksAddon,
    FileSystem,
    Fleet,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    LifecycleBundle,
    LoginPool,
    NodeGroup,
    NodeRole,
    ParallelCluster,
    PcsCluster,
    Ref,
    Reference,
    SecurityGroup,
    SlurmHyperPodCluster,
    Subnet,
    TrackingServer,
)
from muster.fleet.resources.fleet import Judged, WholeCluster
from muster.fleet.resources.ref import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, ROLE, Place
from muster.fleet.resources.storage import FileSystemKind

if TYPE_CHECKING:
    from muster.config.description.base import StrictModel
    from muster.config.description.cluster import Cluster

C = TypeVar("C", bound=WholeCluster, default=Any)
G = TypeVar("G", bound=Group, default=Any)
S = TypeVar("S", bound=HeadNode | LoginPool | InstanceGroup | ComputeNodeGroup, default=Any)


class CreatedSubnet(NamedTuple):
    """A subnet that Muster creates."""

    ref: Ref
    zone: str
    cidr: str
    tier: Tier


@dataclass(frozen=True, slots=True)
class Network:
    """The network of a cluster."""

    vpc: Reference
    private: Mapping[str, Reference]
    """Zone -> its first subnet."""
    public: Mapping[str, Reference]
    subnets: Mapping[str, Subnet]
    """Reference of a subnet -> its known properties."""
    pods: Mapping[str, Reference] = field(default_factory=dict)
    """Zone -> the subnet of its pods, with custom networking of the VPC CNI."""
    pod_cidr: str | None = None
    """The VPC's secondary addresses, if Muster creates them."""
    control_plane: tuple[Reference, ...] = ()
    """The subnets that the description names for the control plane."""
    cidr: str | None = None
    """The VPC's addresses, if Muster creates it."""
    created: tuple[CreatedSubnet, ...] = ()
    nat_zones: tuple[str, ...] = ()
    """Zones with a NAT gateway."""
    registry_endpoints: SecurityGroup | None = None
    """The security group of the interface endpoints for ECR, if Muster creates them."""

    @property
    def counted(self) -> tuple[CountedResource, ...]:
        """The resources that Muster creates and of which an account may have a limited number."""
        if not isinstance(self.vpc, Ref):
            return ()
        place, name = Place("network.create"), self.vpc.name
        listed: list[tuple[str, str, Reference | None]] = [(INTERNET_GATEWAY, name, None)]
        listed += [(ADDRESS, f"nat-{zone}", None) for zone in self.nat_zones]
        listed += [(NAT_GATEWAY, zone, self.public[zone]) for zone in self.nat_zones]
        others = (CountedResource(Ref(kind, each), place, subnet) for kind, each, subnet in listed)
        return (CountedResource(self.vpc, place, cidr=self.cidr), *others)

    @property
    def zone_ids(self) -> dict[str, str]:
        """Zone -> its id, for the zones whose id is known."""
        known = ((each.observed_zone or each.declared_zone, each.zone_id) for each in self.subnets.values())
        return {zone: id_ for zone, id_ in sorted(known, key=str) if zone and id_}

    def of(self, tier: Tier) -> Mapping[str, Reference]:
        """Zone -> subnet, of one tier."""
        return self.private if tier is Tier.PRIVATE else self.public


class Storage(NamedTuple):
    """One shared file system."""

    name: str
    described: "StrictModel"
    """Its block of the description."""
    file_system: FileSystem
    """The file system that Muster creates; or the existing one, whose settings only FSx knows."""
    security_group: SecurityGroup | None
    """Its own security group; None for an existing file system."""

    @property
    def kind(self) -> FileSystemKind:
        """What clients and services need to mount it."""
        return self.file_system.kind

    @property
    def mounted(self) -> Reference:
        """What ParallelCluster mounts."""
        return getattr(self.file_system, "volume", None) or self.file_system.id or self.file_system.ref


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceNodes(Generic[S]):
    """Nodes outside the groups that do one thing for the cluster: a head node, a controller, nodes to log in to."""

    name: str
    """``head``, or the name of a pool or an instance group."""
    at: str
    """Where they are in the description: ``head``, ``login-nodes.NAME``."""
    described: Any
    """Their block of the description."""
    count: int
    resource: S
    """The nodes as their service has them, and as rules judge them."""
    template: LaunchTemplate | None = None
    """Their launch template: on PCS."""

    @property
    def in_ec2(self) -> bool:
        """Whether they belong to the account in EC2. HyperPod's belong to SageMaker."""
        return not isinstance(self.resource, InstanceGroup)


class HyperPod(NamedTuple):
    """The HyperPod cluster that gives a cluster with Kubernetes its nodes."""

    cluster: HyperPodCluster
    bundle: LifecycleBundle | None
    """The scripts that Muster uploads to a bucket; None if every group has other scripts or none."""
    quotas: tuple[ComputeQuota, ...] = ()
    """The quotas of teams, sorted by team."""
    tracking_server: TrackingServer | None = None
    """The tracking server of managed MLflow."""

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules evaluate, except its groups."""
        every = (self.cluster, self.bundle, *self.quotas, self.tracking_server)
        return tuple(each for each in every if each)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterBlueprint(Generic[C, G]):
    """One cluster, derived, whichever service runs it. What a backend does not have is empty or None."""

    stack: str
    region: str
    cluster_name: str
    described: "Cluster"
    cluster: C
    """The cluster as its service has it, and as rules judge it: of Kubernetes, the control plane."""
    groups: tuple[G, ...]
    storage: tuple[Storage, ...]
    network: Network
    security_group: SecurityGroup | None
    """The security group that Muster creates for all nodes. On EKS, only EFA interfaces carry it: None without them."""
    queues: tuple[SlurmQueue[G], ...] = ()
    """The queues of Slurm: the default queue first, then by name."""
    service_nodes: tuple[ServiceNodes, ...] = ()
    """The nodes outside the groups: the head node or the controller first, then by name."""
    jobs: JobEnvironment | None = None
    """What a batch script finds on the nodes of Slurm."""
    s3_addresses: tuple[str, ...] = ()
    """The S3 locations that nodes of Slurm read, `s3://BUCKET/PREFIX`, without those that file systems are linked
    to."""
    access: tuple[AccessEntry | AccessPolicyGrant, ...] = ()
    """Who may use the Kubernetes API, and what each may do."""
    eks_addons: tuple[EksAddon, ...] = ()
    hyperpod: HyperPod | None = None
    """The HyperPod cluster of a cluster with Kubernetes."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Key below `addons:` (``mpi-operator``, ``charts.RELEASE``) -> the stack that installs it, for the add-ons that
    other stacks of the cluster install."""
    absent: tuple[str, ...] = ()
    """Why other stacks of the cluster are not known here; the add-ons that they install are then unknown."""
    by_outputs: bool = False
    """Whether only the cluster's outputs are known; then the values of add-ons of other stacks are unknown."""
    cluster_stack: str = ""
    """The stack that creates the cluster: this one, unless this one has only add-ons for it."""
    facts: Facts | None = None
    facts_file: str = ""

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules evaluate, except file systems and add-ons."""
        own = (each.security_group for each in self.storage)
        security = (self.security_group, self.network.registry_endpoints, *own)
        service = (thing for each in self.service_nodes for thing in (each.resource, each.template))
        return (
            self.cluster,
            *self.network.counted,
            *(each for each in security if each),
            *self.access,
            *self.eks_addons,
            *self.purchases,
            *self._roles,
            *(self.hyperpod.judged if self.hyperpod else ()),
            *(each.resource for each in self.queues if each.resource),
            *(each for each in service if each),
            *(thing for group in self.groups for thing in group.judged),
        )

    @property
    def _roles(self) -> Iterator[NodeRole]:
        """The roles of nodes with policies of the description, as far as it says what they allow."""
        more = [(NODE_ROLES.get(self.backend, ""), "iam.node-policies", self.described.iam.node_policies)]
        more += [(each.made_as, f"groups.{each.name}.policies", each.described.policies) for each in self.eks_groups]
        for name, place, policies in more:
            if policies:
                yield NodeRole(Ref(ROLE, name), Place(place), frozenset(policies))

    @property
    def backend(self) -> str:
        """The service that runs the cluster."""
        return self.described.backend

    @property
    def on_kubernetes(self) -> bool:
        """Whether the cluster has a Kubernetes control plane, on EKS or HyperPod."""
        return isinstance(self.cluster, ControlPlane)

    @property
    def note(self) -> str | None:
        """What a deployment needs that no rule judges: where it runs, if only the VPC reaches the Kubernetes API."""
        plane = self.cluster
        if not isinstance(plane, ControlPlane) or plane.existing or plane.endpoint_public:
            return None
        return "api: private: run `up` in the VPC, or in a network that is connected to it (VPN, peering)"

    @property
    def environment(self) -> JobEnvironment:
        """What a batch script finds on the nodes."""
        assert self.jobs is not None, "only jobs of Slurm have one"
        return self.jobs

    @property
    def name_stem(self) -> str:
        """The prefix of the names of Muster's resources: the cluster's name, if it is valid for them. An existing
        cluster may have any name that EKS accepts."""
        return self.cluster_name if self.described.queues else aws_name_stem(self.cluster_name)

    @property
    def purchases(self) -> tuple[CapacityBlockPurchase, ...]:
        """The Capacity Blocks to buy, each once, with the values of the first group that uses it."""
        bought = {each.ref: each for each in reversed([group.purchase for group in self.groups]) if each}
        return tuple(reversed(bought.values()))

    @property
    def eks_groups(self) -> tuple[EksGroup, ...]:
        """The node groups of EKS."""
        return tuple(group for group in self.groups if isinstance(group.resource, NodeGroup))

    @property
    def karpenter_groups(self) -> tuple[EksGroup, ...]:
        """The groups whose nodes Karpenter creates, also the Karpenter of EKS Auto Mode."""
        return tuple(group for group in self.eks_groups if group.described.by_karpenter)

    @property
    def node_entries(self) -> Mapping[str, bool]:
        """The existing roles of nodes that need an access entry -> whether for EKS Auto Mode. EKS creates those of
        managed groups."""
        roles = [(self.described.role_of(each.described), each) for each in self.eks_groups]
        by_eks = {role for role, each in roles if each.resource.managed}
        return {role: each.described.by_auto_mode for role, each in roles if role and role not in by_eks}

    @property
    def auto_mode(self) -> bool:
        """Whether the cluster has EKS Auto Mode on."""
        return any(group.described.by_auto_mode for group in self.eks_groups)

    @property
    def instance_groups(self) -> tuple[HyperPodGroup, ...]:
        """The groups that are instance groups of HyperPod, sorted by name: the engine's configuration is sorted and a
        file is not, and SageMaker receives the groups as a list."""
        groups = (group for group in self.groups if isinstance(group.resource, InstanceGroup))
        return tuple(sorted(groups, key=lambda group: group.name))

    @property
    def hyperpod_cluster(self) -> HyperPodCluster | None:
        """The HyperPod cluster, with either orchestrator; None on other services."""
        if self.hyperpod:
            return self.hyperpod.cluster
        return self.cluster if isinstance(self.cluster, HyperPodCluster) else None

    @property
    def hyperpod_groups(self) -> tuple[InstanceGroup, ...]:
        """All instance groups of HyperPod, also the controller and the login nodes."""
        service = (each.resource for each in self.service_nodes if isinstance(each.resource, InstanceGroup))
        return (*service, *(each.resource for each in self.instance_groups))

    @property
    def head(self) -> HeadNode:
        """The head node of ParallelCluster."""
        found: HeadNode = self.service_nodes[0].resource
        return found

    @property
    def login_pools(self) -> tuple[LoginPool, ...]:
        """ParallelCluster's pools of nodes on which users log in, sorted by name."""
        return tuple(each.resource for each in self.service_nodes if isinstance(each.resource, LoginPool))

    @property
    def other_instances(self) -> tuple[str, ...]:
        """The types of the instances outside the groups that count against EC2's quotas, each as often as there are
        instances."""
        return tuple(each.described.instance for each in self.service_nodes if each.in_ec2 for _ in range(each.count))

    @property
    def subnets(self) -> Mapping[str, Subnet]:
        """The known properties of the network's subnets."""
        return self.network.subnets

    def group(self, name: str) -> G:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    def queue(self, name: str) -> SlurmQueue[G]:
        """The queue of that name.

        Raises:
            KeyError: there is none.
        """
        return {queue.name: queue for queue in self.queues}[name]

    def path_of(self, group: str) -> str:
        """Where a group is in the description: ``queues.gpu.groups.workers``."""
        return ".".join(map(str, self.described.group_path(group)))

    def zones(self, group: Group) -> tuple[str, ...]:
        """The zones of a group's subnets, sorted; empty if they are unknown."""
        known = (self.subnets.get(str(subnet)) for subnet in group.subnets)
        return tuple(sorted({subnet.zone for subnet in known if subnet and subnet.zone}))

    def fleet(self, as_of: date, addons: tuple[Addon, ...] = ()) -> Fleet:
        """The blueprint as rules see it.

        Args:
            as_of: the day to judge by.
            addons: the add-ons that it installs (`muster.policies.engine.described_fleet`): their values follow
                from the blueprint, which contains no charts.
        """
        return Fleet(
            objects=(*self.judged, *addons, *(each.file_system for each in self.storage)),
            subnets=self.subnets,
            facts=self.facts,
            facts_file=self.facts_file,
            region=self.region,
            as_of=as_of,
            absent=self.absent,
            backend=self.backend,
            named=find_references(self.described),
        )


Blueprint = ClusterBlueprint[ControlPlane, KubernetesGroup]
SlurmBlueprint = ClusterBlueprint[Any, SlurmGroup]
ParallelClusterBlueprint = ClusterBlueprint[ParallelCluster, ParallelClusterGroup]
PcsBlueprint = ClusterBlueprint[PcsCluster, PcsGroup]
HyperPodSlurmBlueprint = ClusterBlueprint[SlurmHyperPodCluster, HyperPodSlurmGroup]
