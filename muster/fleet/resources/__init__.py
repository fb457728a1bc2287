"""The resource types that rules judge, with the names of EC2 and EKS.

The blueprint consists of them, and `muster.policies.views` reads the same types from the resources that any Pulumi
program registers: one predicate serves both, and the two readings of Muster's program can be compared.
"""

from muster.fleet.resources.ec2 import (
    AddedRule,
    CapacityBlockPurchase,
    CapacityReservation,
    CapacityTarget,
    CountedResource,
    InterfaceAttachment,
    LaunchTemplate,
    NetworkInterface,
    PlacementGroup,
    ReservationGroup,
    SecurityGroup,
    SecurityGroupRule,
)
from muster.fleet.resources.eks import (
    Addon,
    ControlPlane,
    DisruptionBudget,
    EksAddon,
    NodeGroup,
    NodePool,
    PodOwner,
    PodTemplate,
)
from muster.fleet.resources.fleet import Fleet, Output, Subnet
from muster.fleet.resources.hyperpod import (
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    LifecycleBundle,
    PossibleReferences,
    StorageVolume,
    TrackingServer,
)
from muster.fleet.resources.iam import AccessGrant, NodeRole, Statement
from muster.fleet.resources.parallelcluster import (
    AuthorityReport,
    ClosedTemplate,
    ComputeResource,
    Database,
    HeadNode,
    LoginPool,
    Mount,
    ParallelCluster,
    Placement,
    Queue,
    Script,
    ValidatorMessage,
    Volume,
)
from muster.fleet.resources.pcs import ComputeNodeGroup, PcsCluster, PcsQueue
from muster.fleet.resources.ref import Place, Ref, Reference
from muster.fleet.resources.storage import Bucket, DataAssociation, LustreFileSystem
from muster.fleet.resources.task_governance import ComputeQuota, QuotaAmount
from muster.scheduling.taints import Taint

__all__ = [
    "AccessGrant",
    "AddedRule",
    "Addon",
    "AuthorityReport",
    "Bucket",
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
    "Database",
    "DisruptionBudget",
    "EksAddon",
    "Fleet",
    "HeadNode",
    "HyperPodCluster",
    "InstanceGroup",
    "InterfaceAttachment",
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
    "Output",
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
    "Statement",
    "StorageVolume",
    "Subnet",
    "Taint",
    "TrackingServer",
    "ValidatorMessage",
    "Volume",
]
