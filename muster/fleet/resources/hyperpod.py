"""SageMaker HyperPod: the cluster, its instance groups, the scripts of their instances."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.resources.group import DescribedGroup
from muster.fleet.resources.ref import Place, Ref, Reference
from muster.scheduling.taints import Taint
from muster.unknown import UNKNOWN, Observed, U, UnknownType

INSTANCE_GROUP = "muster:hyperpod:InstanceGroup"
"""Not a Pulumi type: one entry of `instanceGroups`."""


@dataclass(frozen=True, slots=True)
class HyperPodCluster(Observed, Generic[U]):
    """A HyperPod cluster (`AWS::SageMaker::Cluster`)."""

    ref: Ref
    name: str | None | U
    """None: SageMaker makes one up."""
    orchestrator: Reference | None | UnknownType
    """The EKS cluster that its nodes join; None where none is named."""
    subnets: tuple[Reference, ...] | U
    """Sorted."""
    security_groups: tuple[Reference, ...] | U
    """Sorted."""
    place: Place = field(compare=False)
    slurm: bool = False
    """Whether Slurm is the orchestrator."""
    node_recovery: str | None | U = None
    """``Automatic`` or ``None``, the API's values; None where it is not set."""
    provisioning: str | None | U = None
    """``Continuous``, or None."""
    autoscaler: str | None | U = None
    """``Karpenter`` where autoscaling is on."""
    has_cluster_role: bool = False
    """Whether it names a role for the autoscaler."""
    memory_percent: int | None | U = None
    """Of each instance's memory, for tiered storage; None where that is off."""
    groups_known: bool = field(default=True, compare=False)
    """Whether all its instance groups are; else there may be others than those that are seen."""
    after: frozenset[Ref] = field(default=frozenset(), compare=False)
    """What the program makes before it."""


@dataclass(frozen=True, slots=True)
class SlurmHyperPodCluster(HyperPodCluster[U]):
    """One whose only orchestrator is Slurm: the whole cluster, as EKS's control plane is of Kubernetes."""

    @property
    def root(self) -> Place:
        """Where the whole cluster is described."""
        return Place("") if self.place.described else self.place


@dataclass(frozen=True, slots=True)
class Lifecycle(Observed, Generic[U]):
    """The scripts that HyperPod runs on a new instance."""

    source: Reference | None | U
    """The bucket of this program, or where they are in S3 (``s3://sagemaker-...``); None where it is not known."""
    on_create: str | None | U = None
    on_init_complete: str | None | U = None
    folder: str | None | U = field(default=None, compare=False)
    """The folder of the bucket, empty for none; None where the source includes it."""


@dataclass(frozen=True, slots=True)
class StorageVolume(Observed, Generic[U]):
    """One further volume, or the root volume, of each instance."""

    gib: int | None | U
    root: bool | U = False
    key: Reference | None | U = None


LUSTRE_MOUNT, OPENZFS_MOUNT = "FsxLustreConfig", "FsxOpenZfsConfig"


@dataclass(frozen=True, slots=True)
class FileSystemMount(Observed, Generic[U]):
    """A file system that each instance mounts."""

    kind: str
    """`LUSTRE_MOUNT` or `OPENZFS_MOUNT`."""
    file_system: Reference | None | U
    """The file system of this program, or the DNS name of an existing one."""
    mount_name: str | None | U
    """Lustre's, of an existing file system."""
    directory: str | None | U
    """Where it is mounted; None for HyperPod's default."""


@dataclass(frozen=True, slots=True)
class InstanceGroup(DescribedGroup[U]):
    """One instance group of a HyperPod cluster. Fields that it shares with a `NodeGroup` have the same names."""

    ref: Ref
    """By the group's name in SageMaker."""
    cluster: Ref
    instance_type: str | None | U
    """SageMaker's name: ``ml.p5.48xlarge``."""
    nodes_start: int | U
    """`InstanceCount`."""
    minimum: int | None | U
    """`MinInstanceCount`."""
    subnets: tuple[Reference, ...] | U
    """The group's (`OverrideVpcConfig`), or the cluster's. Sorted."""
    security_groups: tuple[Reference, ...] | U
    """As above."""
    place: Place = field(compare=False)
    requirements: tuple[str, ...] | None | U = None
    """`InstanceRequirements.InstanceTypes`; None where none are given."""
    own_network: bool = False
    """Whether it has an `OverrideVpcConfig`."""
    threads_per_core: int | None | U = None
    lifecycle: Lifecycle[U] | None | U = None
    """None: HyperPod sets up its instances alone."""
    deep_checks: frozenset[str] | U = frozenset()
    """``InstanceStress``, ``InstanceConnectivity``."""
    volumes: tuple[StorageVolume[U], ...] | U = ()
    """In the order they are given in."""
    mounts: tuple[FileSystemMount[U], ...] | U = ()
    """The file systems that HyperPod mounts, in the order they are given in."""
    node_type: str | None | U = None
    """`SlurmConfig.NodeType`: ``Controller``, ``Login`` or ``Compute``; None without a SlurmConfig."""
    partitions: tuple[str, ...] | U = ()
    """`SlurmConfig.PartitionNames`."""
    training_plan: str | None | U = None
    """Its ARN."""
    spot: bool | U = False
    interface: str | None | U = None
    """``efa`` or ``efa-only``, where it is set."""
    labels: frozenset[tuple[str, str]] | U = frozenset()
    taints: frozenset[Taint] | U = frozenset()
    role: Reference | None | U = field(default=None, compare=False)
    """The role of its instances, in a program."""
    name: str | None | U = field(default="", compare=False)
    """Its name in a program, where its reference does not have it: two may have one name, or one none."""

    @property
    def instance_types(self) -> tuple[str, ...] | U:
        """Every type it may have."""
        if self.instance_type is None:
            return () if self.requirements is None else self.requirements
        return self.instance_type if self.instance_type is UNKNOWN else (self.instance_type,)

    @property
    def nodes_min(self) -> int | U:
        """Instances at least."""
        return self.nodes_start if self.minimum is None else self.minimum

    @property
    def nodes_max(self) -> int | U:
        """Instances at most."""
        return self.nodes_start


@dataclass(frozen=True, slots=True)
class LifecycleBundle(Observed, Generic[U]):
    """The bucket of lifecycle scripts that a program makes, and what it puts there."""

    ref: Ref
    """The bucket."""
    name: str | None | U
    """The bucket's name, or what it begins with; None where the engine makes it up."""
    files: frozenset[str] | U
    """The keys of the objects that the program puts there."""
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class TrackingServer(Observed, Generic[U]):
    """One tracking server, or one serverless MLflow App."""

    ref: Ref
    name: str | U
    artifacts: Reference | U
    """The bucket of this program that artifacts go to, or an address."""
    place: Place = field(compare=False)
    size: str | None | U = "Small"
    """None of an app."""
    version: str | None | U = None
    """MLflow's; None where the program leaves it to AWS, and of an app."""
    maintenance: str | None | U = None
    """A time of the week in UTC: ``Tue:03:30``."""
    pods: bool = field(default=False, compare=False)
    """Whether pods get their right to log to it by Pod Identity, by the description."""
    serverless: bool = False
    """Whether it is an app."""
