"""AWS ParallelCluster: the cluster, its head node, its login nodes, its queues and their compute resources.

They are no Pulumi resources: they are in the configuration that a CloudFormation stack passes to
`Custom::PclusterCluster`.
"""

from dataclasses import dataclass, field
from typing import Generic

from muster.finding import KeyPath
from muster.fleet.resources.ec2 import CapacityTarget
from muster.fleet.resources.group import DescribedGroup
from muster.fleet.resources.ref import Place, Ref, Reference
from muster.unknown import Observed, U

HEAD_NODE = "muster:parallelcluster:HeadNode"
LOGIN_POOL = "muster:parallelcluster:LoginPool"
QUEUE = "muster:parallelcluster:Queue"
COMPUTE_RESOURCE = "muster:parallelcluster:ComputeResource"
TEMPLATE = "muster:parallelcluster:Template"
"""Not Pulumi types: parts of a configuration."""

MADE_GROUP = "muster:parallelcluster:SecurityGroup"
"""Not a Pulumi type: a security group that ParallelCluster makes."""
COMPUTE_GROUP = Ref(MADE_GROUP, "compute")
"""What it gives its compute nodes: everything from and to each other and the head node, everything out."""
HEAD_GROUP = Ref(MADE_GROUP, "head")
"""What it gives its head node: everything from its compute nodes, everything out."""
LOGIN_GROUP = Ref(MADE_GROUP, "login")
"""What it gives its login nodes: SSH from `AllowedIps` and the load balancer, everything from the head node and compute
nodes, everything out. Each pool has its own."""
STORAGE_GROUP = Ref(MADE_GROUP, "storage")
"""What it gives a file system that it makes: everything from and to all nodes of the cluster and itself."""


START, CONFIGURED, UPDATED = EVENTS = ("OnNodeStart", "OnNodeConfigured", "OnNodeUpdated")
"""Events of a node, in their order (`CustomActions`)."""


@dataclass(frozen=True, slots=True)
class Script(Observed, Generic[U]):
    """A script that a node runs."""

    at: str | U
    arguments: tuple[str, ...] | U = ()
    event: str = CONFIGURED
    """When it runs: before or after ParallelCluster configures the node, or after an update of the head node."""


@dataclass(frozen=True, slots=True)
class Mount(Observed, Generic[U]):
    """A shared storage of the cluster."""

    name: str | None | U
    kind: str | None | U
    """`StorageType`: ``Ebs``, ``FsxLustre`` ..."""
    file_system: Reference | None | U = None
    """The file system or volume that exists; None where ParallelCluster makes it."""
    deletion: str | None | U = None
    """`DeletionPolicy` of what ParallelCluster makes; None for its default: ``Delete``."""
    inside: KeyPath = field(default=(), compare=False)
    """The path of its block in the configuration; empty where it is described."""


@dataclass(frozen=True, slots=True)
class ParallelCluster(Observed, Generic[U]):
    """A cluster (`Custom::PclusterCluster`)."""

    ref: Ref
    """The CloudFormation stack that makes it."""
    name: str | None | U
    version: str | None | U
    """ParallelCluster's, by its provider's template."""
    os: str | None | U
    image: str | None | U
    """`Image.CustomAmi`."""
    place: Place = field(compare=False)
    mounts: tuple[Mount[U], ...] | U = ()
    """In the order they are given in."""
    setting_names: frozenset[str] | U = frozenset()
    """The parameters of slurm.conf in `CustomSlurmSettings`, except entries that define nodes or partitions."""
    database: bool | U = False
    """Whether it has a database for accounting (`SlurmSettings.Database`)."""
    bucket: str | None | U = None
    """`CustomS3Bucket`."""
    boundary: str | None | U = None
    """The permissions boundary of its roles (`Iam.PermissionsBoundary`)."""
    prefix: str | None | U = None
    """Of its roles (`Iam.ResourcePrefix`): a path, a beginning of names, or both."""
    functions_role: str | None | U = None
    """`Iam.Roles.LambdaFunctionsRole`."""

    @property
    def root(self) -> Place:
        """Where the whole cluster is described."""
        return self.place


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmNodes(Observed, Generic[U]):
    """What the head node, pools of login nodes and queues have alike."""

    cluster: Ref
    security_groups: tuple[Reference, ...] | U
    """Additional ones, or, in place of ParallelCluster's own, all. Sorted."""
    place: Place = field(compare=False)
    scripts: tuple[Script[U], ...] | U = ()
    buckets: frozenset[str] | U = frozenset()
    """Buckets that they may read (`Iam.S3Access`). Login nodes have no such setting."""
    image: str | None | U = None
    """Their custom image."""
    replaces_groups: bool = False
    """Whether their security groups replace ParallelCluster's own."""
    policies: frozenset[str] | U = frozenset()
    """`Iam.AdditionalIamPolicies`, by ARN, as far as they are known."""
    more_policies: bool = False
    """Whether they have some that are not known yet beside them."""
    own_role: bool = False
    """Whether a custom role or instance profile is set."""
    role: str | None | U = None
    """The ARN of that one."""


@dataclass(frozen=True, slots=True)
class HeadNode(SlurmNodes[U]):
    """The head node of a cluster."""

    ref: Ref
    instance: str | None | U
    subnet: Reference | None | U
    key_pair: Reference | None | U = None
    ssh_from: str | None | U = None
    """`AllowedIps`; None for ParallelCluster's own choice: everywhere."""
    own_way_out: bool | U = False
    """Whether it has an Elastic IP address, or a proxy (`Networking.ElasticIp`, `Networking.Proxy`)."""
    exports: bool | U = True
    """Whether other nodes mount /home and Slurm from it over NFS, not from EFS (`SharedStorageType`)."""
    seconds: int | None | U = None
    """How long it may take until it is ready (`HeadNodeBootstrapTimeout`); None for ParallelCluster's 35 minutes."""
    timed_at: Place | None = field(default=None, compare=False)
    """Where that is set, if not below the node itself: for all nodes alike."""

    @property
    def carried(self: "HeadNode") -> tuple[Reference, ...]:
        """The security groups on its interface: ParallelCluster's own among them, unless it is replaced."""
        return _carried(HEAD_GROUP, self)


@dataclass(frozen=True, slots=True)
class LoginPool(SlurmNodes[U]):
    """One pool of login nodes."""

    ref: Ref
    """By the pool's name."""
    name: str | None | U
    instance: str | None | U
    count: int | None | U
    subnets: tuple[Reference, ...] | U
    """`SubnetIds`: ParallelCluster accepts one. Sorted."""
    ssh_from: str | None | U = None
    """`AllowedIps`; None where the pool does not set it: then it is that of the head node."""
    grace_minutes: int | None | U = None
    """`GracetimePeriod`; None for ParallelCluster's 10 minutes."""

    @property
    def carried(self: "LoginPool") -> tuple[Reference, ...]:
        """The security groups on its nodes' interfaces: ParallelCluster's own among them, unless it is replaced."""
        return _carried(LOGIN_GROUP, self)


@dataclass(frozen=True, slots=True)
class Queue(SlurmNodes[U]):
    """One queue."""

    ref: Ref
    """By the queue's name."""
    name: str | None | U
    capacity_type: str | None | U
    """``ONDEMAND``, ``SPOT`` or ``CAPACITY_BLOCK``; None for the first."""
    subnets: tuple[Reference, ...] | U
    """Sorted."""
    allocation: str | None | U = None
    """`AllocationStrategy`."""
    public_ip: bool | None | U = None
    zones: tuple[str, ...] = field(default=(), compare=False)
    """The zones that the description asks for."""
    setting_names: frozenset[str] | U = frozenset()
    """The parameters of its partition in `CustomSlurmSettings`."""

    @property
    def carried(self: "Queue") -> tuple[Reference, ...]:
        """The security groups on its nodes' interfaces: ParallelCluster's own among them, unless it is replaced."""
        return _carried(COMPUTE_GROUP, self)


@dataclass(frozen=True, slots=True)
class Placement(Observed, Generic[U]):
    """The placement settings of a compute resource, or of its queue."""

    enabled: bool | None | U = None
    """None where it is not set."""
    name: Reference | None | U = None
    """The group that is named (`Name`, or `Id`)."""


@dataclass(frozen=True, slots=True)
class ComputeResource(DescribedGroup[U]):
    """One compute resource. Fields that it shares with a `NodeGroup` have the same names."""

    ref: Ref
    """By the name in its queue."""
    queue: Ref
    name: str | None | U
    instances: tuple[str, ...] | U
    """`InstanceType`, or those of `Instances`; none where the reservation decides."""
    nodes_min: int | U
    nodes_max: int | U
    subnets: tuple[Reference, ...] | U
    """Its queue's. Sorted."""
    security_groups: tuple[Reference, ...] | U
    """Its queue's. Sorted."""
    place: Place = field(compare=False)
    flexible: bool = False
    """Whether the types are given as `Instances`."""
    capacity_type: str | None | U = None
    """Its queue's."""
    target: CapacityTarget[U] | U = field(default_factory=CapacityTarget)
    """The resource's, or its queue's."""
    efa: bool | None | U = None
    placement: Placement[U] | U = field(default_factory=Placement)
    """The resource's, or its queue's."""
    threads_per_core: int | None | U = None
    """1 where hyper-threading is off."""
    setting_names: frozenset[str] | U = frozenset()
    """The parameters of its nodes in `CustomSlurmSettings`."""
    replaces_groups: bool = False
    """Whether its queue's security groups replace ParallelCluster's own."""
    public_ip: bool | None | U = None
    """Its queue's `AssignPublicIp`."""

    @property
    def carried(self: "ComputeResource") -> tuple[Reference, ...]:
        """The security groups on its nodes' interfaces: ParallelCluster's own among them, unless it is replaced."""
        return _carried(COMPUTE_GROUP, self)

    @property
    def instance_types(self) -> tuple[str, ...] | U:
        """Every type it may have."""
        return self.instances

    @property
    def nodes_start(self) -> int | U:
        """Nodes that run from the first."""
        return self.nodes_min

    @property
    def has_efa(self: "ComputeResource") -> bool:
        """Whether its nodes have EFA."""
        return bool(self.efa)


def _carried(own: Ref, node: HeadNode | LoginPool | Queue | ComputeResource) -> tuple[Reference, ...]:
    return node.security_groups if node.replaces_groups else (own, *node.security_groups)


@dataclass(frozen=True, slots=True)
class ClosedTemplate:
    """A CloudFormation template that makes a cluster, or may make one, and that could not be read whole."""

    ref: Ref
    place: Place = field(compare=False)
    missing: str = ""
    """What is not known of it."""
    fault: str = ""
    """Why CloudFormation refuses it."""
    remedy: str = ""
