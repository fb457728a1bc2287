"""AWS ParallelCluster: the cluster, its head node, its queues and their compute resources.

They are not Pulumi's: they stand in the configuration that a CloudFormation stack hands to `Custom::PclusterCluster`.
"""

from dataclasses import dataclass, field

from muster.fleet.description.capacity import Capacity
from muster.fleet.description.group_core import Purpose
from muster.fleet.quantity import Size
from muster.fleet.resources.hyperpod import Among
from muster.fleet.resources.launch_template import CapacityTarget
from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import UNKNOWN, UnknownType

HEAD_NODE = "muster:parallelcluster:HeadNode"
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
STORAGE_GROUP = Ref(MADE_GROUP, "storage")
"""What it gives a file system that it makes: everything from and to all nodes of the cluster and itself."""


@dataclass(frozen=True, slots=True)
class Script:
    """A script that a node runs."""

    at: str | UnknownType
    arguments: tuple[str, ...] | UnknownType = ()


@dataclass(frozen=True, slots=True)
class Volume:
    """An EBS volume, as far as something is said of it."""

    type: str | None | UnknownType = None
    gib: int | None | UnknownType = None
    iops: int | None | UnknownType = None
    throughput: int | None | UnknownType = None
    encrypted: bool | None | UnknownType = None
    """None for ParallelCluster's own choice: it is."""


@dataclass(frozen=True, slots=True)
class Database:
    """The database of Slurm's accounting."""

    uri: str | None | UnknownType
    secret: str | None | UnknownType
    """The ARN of its password."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A shared storage of the cluster, by where it is mounted."""

    name: str | None | UnknownType
    directory: str | None | UnknownType
    kind: str | None | UnknownType
    """`StorageType`: ``Ebs``, ``FsxLustre`` ..."""
    file_system: Reference | None | UnknownType = None
    """The file system or volume that exists; None where ParallelCluster makes it."""
    gib: int | None | UnknownType = None
    deletion: str | None | UnknownType = None
    """`DeletionPolicy` of what ParallelCluster makes; None for its own choice: ``Delete``."""
    raid: bool = False
    """Whether several EBS volumes are one."""
    volume: Volume | None = None
    """What is said of an EBS volume."""
    encrypted: bool | None | UnknownType = None
    """Of a file system of EFS that ParallelCluster makes; None for its own choice: it is not."""


@dataclass(frozen=True, slots=True)
class ParallelCluster:
    """A cluster (`Custom::PclusterCluster`)."""

    ref: Ref
    """The CloudFormation stack that makes it."""
    name: str | None | UnknownType
    version: str | None | UnknownType
    """ParallelCluster's, as its provider's template says."""
    os: str | None | UnknownType
    image: str | None | UnknownType
    """`Image.CustomAmi`."""
    place: Place = field(compare=False)
    imds: str | None | UnknownType = None
    """``v2.0`` where instances take IMDSv2 alone."""
    mounts: tuple[Mount, ...] | UnknownType = ()
    """In the order they are given in."""
    accounting: bool | UnknownType = False
    tags: frozenset[str] | UnknownType = frozenset()
    """Keys."""
    deletion: str | None | UnknownType = None
    """`DeletionPolicy` of the resource: ``Retain`` or ``Delete``; None for the latter."""
    rollback: bool | None | UnknownType = None
    """`RollbackOnFailure`, where it is said."""
    database: Database | None = None
    external_accounting: bool | UnknownType = False
    """Whether a slurmdbd from elsewhere is named (`ExternalSlurmdbd`)."""
    munge_key: bool | UnknownType = False
    """Whether `MungeKeySecretArn` is given."""
    slurm_settings: frozenset[str] | UnknownType = frozenset()
    """Keys of `CustomSlurmSettings`, but of entries of several keys: those are nodes and partitions of one's own."""
    node_names: frozenset[str] = frozenset()
    """Names of nodes of one's own."""
    include_file: bool = False
    """Whether `CustomSlurmSettingsIncludeFile` is given."""
    dev_settings: frozenset[str] | UnknownType = frozenset()
    """Keys of `DevSettings`."""
    stack_name: str | None | UnknownType = field(default=None, compare=False)
    """The CloudFormation stack's own name, where the program gives it one."""


@dataclass(frozen=True, slots=True)
class HeadNode:
    """The head node of a cluster."""

    ref: Ref
    cluster: Ref
    instance: str | None | UnknownType
    subnet: Reference | None | UnknownType
    security_groups: tuple[Reference, ...] | UnknownType
    """Additional ones, or, in place of ParallelCluster's own, all. Sorted."""
    place: Place = field(compare=False)
    key_pair: Reference | None | UnknownType = None
    ssh_from: str | None | UnknownType = None
    """`AllowedIps`; None for ParallelCluster's own choice: everywhere."""
    scripts: tuple[Script, ...] | UnknownType = ()
    buckets: frozenset[str] | UnknownType = frozenset()
    """Buckets that it may read (`Iam.S3Access`)."""
    imds_secured: bool | None | UnknownType = None
    image: str | None | UnknownType = None
    """An image of its own."""
    scratch: str | None | UnknownType = None
    """Where its NVMe disks are mounted; None for ParallelCluster's own choice, /scratch."""
    efa: bool = False
    """Whether somebody asks for EFA, which it cannot have."""
    replaces_groups: bool = False
    """Whether its security groups stand in place of ParallelCluster's own."""
    policies: frozenset[str] | UnknownType = frozenset()
    """`Iam.AdditionalIamPolicies`, by ARN, as far as they are known."""
    more_policies: bool = False
    """Whether it has some that are not known yet beside them."""
    own_role: bool = False
    """Whether a role or an instance profile of one's own is named."""
    seconds: int | None | UnknownType = None
    """How long it may take until it is ready (`HeadNodeBootstrapTimeout`); None for ParallelCluster's 35 minutes."""
    timed_at: Place | None = field(default=None, compare=False)
    """Where that is said, if not below its own place: of all nodes alike."""
    root: Volume | None = None
    """What is said of its root volume."""
    key_type: str | None | UnknownType = field(default=None, compare=False)
    """``ssh-ed25519`` or ``ssh-rsa``, of a key pair that the program makes."""

    @property
    def carried(self) -> tuple[Reference, ...] | UnknownType:
        """The security groups on its interface: ParallelCluster's own among them, unless it is replaced."""
        return _carried(HEAD_GROUP, self)


@dataclass(frozen=True, slots=True)
class Queue:
    """One queue."""

    ref: Ref
    """By the queue's name."""
    cluster: Ref
    name: str | None | UnknownType
    capacity_type: str | None | UnknownType
    """``ONDEMAND``, ``SPOT`` or ``CAPACITY_BLOCK``; None for the first."""
    subnets: tuple[Reference, ...] | UnknownType
    """Sorted."""
    security_groups: tuple[Reference, ...] | UnknownType
    """Additional ones, or, in place of ParallelCluster's own, all. Sorted."""
    place: Place = field(compare=False)
    image: str | None | UnknownType = None
    """An image of its own."""
    scratch: str | None | UnknownType = None
    """Where the NVMe disks are mounted; None for ParallelCluster's own choice, /scratch."""
    allocation: str | None | UnknownType = None
    """`AllocationStrategy`."""
    public_ip: bool | None | UnknownType = None
    scripts: tuple[Script, ...] | UnknownType = ()
    buckets: frozenset[str] | UnknownType = frozenset()
    replaces_groups: bool = False
    """As of the head node, like what follows."""
    policies: frozenset[str] | UnknownType = frozenset()
    more_policies: bool = False
    own_role: bool = False
    tags: frozenset[str] | UnknownType = frozenset()
    """Keys of its own, beside the cluster's."""
    slurm_settings: frozenset[str] | UnknownType = frozenset()
    """Keys of `CustomSlurmSettings`."""
    root: Volume | None = None
    zones: tuple[str, ...] = field(default=(), compare=False)
    """The zones that the description asks for."""


@dataclass(frozen=True, slots=True)
class Placement:
    """What a compute resource, or its queue, says of placement groups."""

    enabled: bool | None | UnknownType = None
    """None where nothing is said."""
    name: Reference | None | UnknownType = None
    """The group that is named (`Name`, or `Id`)."""
    both: bool = False
    """Whether `Name` and `Id` are both given."""


@dataclass(frozen=True, slots=True)
class ComputeResource:
    """One compute resource. What it has in common with a `NodeGroup` goes by the same names."""

    ref: Ref
    """By the name in its queue."""
    queue: Ref
    name: str | None | UnknownType
    instances: tuple[str, ...] | UnknownType
    """`InstanceType`, or those of `Instances`; none where the reservation decides."""
    nodes_min: int | UnknownType
    nodes_max: int | UnknownType
    subnets: tuple[Reference, ...] | UnknownType
    """Its queue's. Sorted."""
    security_groups: tuple[Reference, ...] | UnknownType
    """Its queue's. Sorted."""
    place: Place = field(compare=False)
    flexible: bool = False
    """Whether the types are given as `Instances`."""
    capacity_type: str | None | UnknownType = None
    """Its queue's."""
    target: CapacityTarget | UnknownType = field(default_factory=CapacityTarget)
    """Its own, or its queue's."""
    efa: bool | None | UnknownType = None
    gdr: bool | None | UnknownType = None
    placement: Placement | UnknownType = field(default_factory=Placement)
    """Its own, or its queue's."""
    threads_per_core: int | None | UnknownType = None
    """1 where hyper-threading is off."""
    memory_mib: int | None | UnknownType = None
    """`SchedulableMemory`."""
    tags: frozenset[str] | UnknownType = frozenset()
    """Keys of its own, beside its queue's and the cluster's."""
    slurm_settings: frozenset[str] | UnknownType = frozenset()
    """Keys of `CustomSlurmSettings`."""
    purpose: Purpose | None = field(default=None, compare=False)
    """What the description says it is for."""
    capacity: Capacity | None = field(default=None, compare=False)
    """What the description says of its capacity."""
    zone: str | None = field(default=None, compare=False)
    """The zone that the description asks for."""
    huge_pages: Size | None = field(default=None, compare=False)
    scaled_by: None = field(default=None, compare=False)
    replaces_groups: bool = False
    """Whether its queue's security groups stand in place of ParallelCluster's own."""
    public_ip: bool | None | UnknownType = None
    """Its queue's `AssignPublicIp`."""
    subnets_among: Among | None = field(default=None, compare=False)
    """Where the subnets are not known: what is known of them all the same."""

    @property
    def carried(self) -> tuple[Reference, ...] | UnknownType:
        """The security groups on its nodes' interfaces: ParallelCluster's own among them, unless it is replaced."""
        return _carried(COMPUTE_GROUP, self)

    @property
    def instance_types(self) -> tuple[str, ...] | UnknownType:
        """Every type it may have."""
        return self.instances

    @property
    def nodes_start(self) -> int | UnknownType:
        """Nodes that run from the first."""
        return self.nodes_min

    @property
    def has_efa(self) -> bool | UnknownType:
        """Whether its nodes have EFA."""
        return UNKNOWN if self.efa is UNKNOWN else bool(self.efa)


def _carried(own: Ref, node: HeadNode | ComputeResource) -> tuple[Reference, ...] | UnknownType:
    if node.security_groups is UNKNOWN:
        return UNKNOWN
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
