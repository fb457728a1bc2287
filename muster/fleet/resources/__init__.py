"""The things that rules judge, in EC2's and EKS's own words.

The blueprint is made of them, and `policies.views` reads the same types from the resources that any Pulumi program
registers: so one predicate serves both, and the two readings of our own program can be compared.
"""

from muster.fleet.resources.addon import Addon
from muster.fleet.resources.authority import AuthorityReport, Said
from muster.fleet.resources.bucket import Bucket
from muster.fleet.resources.capacity import (
    CapacityBlockPurchase,
    CapacityReservation,
    PlacementGroup,
    ReservationGroup,
)
from muster.fleet.resources.control_plane import ControlPlane, EksAddon
from muster.fleet.resources.counted import CountedResource
from muster.fleet.resources.fleet import Fleet, Subnet
from muster.fleet.resources.hyperpod import (
    Among,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    LifecycleBundle,
    StorageVolume,
)
from muster.fleet.resources.identity import AccessGrant, NodeRole, Statement
from muster.fleet.resources.interface_attachment import InterfaceAttachment
from muster.fleet.resources.launch_template import CapacityTarget, LaunchTemplate, NetworkInterface
from muster.fleet.resources.lustre import DataAssociation, LustreFileSystem
from muster.fleet.resources.node_group import NodeGroup, Taint
from muster.fleet.resources.output import Output
from muster.fleet.resources.parallelcluster import (
    ClosedTemplate,
    ComputeResource,
    Database,
    HeadNode,
    Mount,
    ParallelCluster,
    Placement,
    Queue,
    Script,
    Volume,
)
from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.resources.pods import PodOwner, PodTemplate
from muster.fleet.resources.security_group import AddedRule, Allowance, SecurityGroup
from muster.fleet.resources.tracking_server import TrackingServer

__all__ = [
    "AccessGrant",
    "AddedRule",
    "Addon",
    "Allowance",
    "Among",
    "AuthorityReport",
    "Bucket",
    "CapacityBlockPurchase",
    "CapacityReservation",
    "CapacityTarget",
    "ClosedTemplate",
    "ComputeResource",
    "ControlPlane",
    "CountedResource",
    "DataAssociation",
    "Database",
    "EksAddon",
    "Fleet",
    "HeadNode",
    "HyperPodCluster",
    "InstanceGroup",
    "InterfaceAttachment",
    "LaunchTemplate",
    "Lifecycle",
    "LifecycleBundle",
    "LustreFileSystem",
    "Mount",
    "NetworkInterface",
    "NodeGroup",
    "NodeRole",
    "Output",
    "ParallelCluster",
    "Place",
    "Placement",
    "PlacementGroup",
    "PodOwner",
    "PodTemplate",
    "Queue",
    "Ref",
    "Reference",
    "ReservationGroup",
    "Said",
    "Script",
    "SecurityGroup",
    "Statement",
    "StorageVolume",
    "Subnet",
    "Taint",
    "TrackingServer",
    "Volume",
]
