"""The resource types that rules judge, with the names of EC2 and EKS.

The blueprint consists of them, and `muster.policies.views` reads the same types from the resources that any Pulumi
program registers: one predicate serves both, and the two readings of Muster's program can be compared.
"""

from muster.fleet.resources.ec2 import (
    CapacityBlockPurchase,
    CapacityReservation,
    CapacityTarget,
    CountedResource,
    LaunchTemplate,
    NetworkInterface,
    NodeRole,
    PlacementGroup,
    ReservationGroup,
    SecurityGroup,
    SecurityGroupRule,
    Statement,
    auto_mode_template,
)
from muster.fleet.resources.eks import (
    AccessEntry,
    AccessPolicyGrant,
    Addon,
    ControlPlane,
    EksAddon,
    NodeGroup,
    NodePool,
    PodOwner,
    PodTemplate,
)
from muster.fleet.resources.fleet import Fleet, Subnet, WholeCluster
from muster.fleet.resources.group import PossibleReferences
from muster.fleet.resources.hyperpod import (
    FileSystemMount,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    LifecycleBundle,
    SlurmHyperPodCluster,
    StorageVolume,
    TrackingServer,
)
from muster.fleet.resources.parallelcluster import (
    ClosedTemplate,
    ComputeResource,
    HeadNode,
    LoginPool,
    Mount,
    ParallelCluster,
    Placement,
    Queue,
    Script,
)
from muster.fleet.resources.pcs import ComputeNodeGroup, PcsCluster, PcsQueue
from muster.fleet.resources.ref import Place, Ref, Reference
from muster.fleet.resources.storage import DataAssociation, FileSystem, LustreFileSystem, SharedFileSystem
from muster.fleet.resources.task_governance import ComputeQuota, QuotaAmount
from muster.scheduling.taints import Taint

__all__ = [
    "AccessEntry",
    "AccessPolicyGrant",
    "Addon",
    "CapacityBlockPurchase",
    "CapacityReservation",
    "CapacityTarget",
    "ClosedTemplate",
    "ComputeNodeGroup",
    "ComputeQuota",
    "ComputeResource",
    "ControlPlane",
    "CountedResource",
    "DataAssociation",
    "EksAddon",
    "FileSystem",
    "FileSystemMount",
    "Fleet",
    "HeadNode",
    "HyperPodCluster",
    "InstanceGroup",
    "LaunchTemplate",
    "Lifecycle",
    "LifecycleBundle",
    "LoginPool",
    "LustreFileSystem",
    "Mount",
    "NetworkInterface",
    "NodeGroup",
    "NodePool",
    "NodeRole",
    "ParallelCluster",
    "PcsCluster",
    "PcsQueue",
    "Place",
    "Placement",
    "PlacementGroup",
    "PodOwner",
    "PodTemplate",
    "PossibleReferences",
    "Queue",
    "QuotaAmount",
    "Ref",
    "Reference",
    "ReservationGroup",
    "Script",
    "SecurityGroup",
    "SecurityGroupRule",
    "SharedFileSystem",
    "SlurmHyperPodCluster",
    "Statement",
    "StorageVolume",
    "Subnet",
    "Taint",
    "TrackingServer",
    "WholeCluster",
    "auto_mode_template",
]
