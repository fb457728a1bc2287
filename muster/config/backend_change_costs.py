"""What changes of a field cost on each backend, where that differs from what the field declares."""

from muster.config.change_costs import ChangeCosts, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.capacity import Capacity, CapacityBlock, Reservation, ReservationGroup
from muster.config.description.kubernetes_cluster import ExistingControlPlane
from muster.config.description.network import CreatedNetwork, ExistingNetwork, Network
from muster.config.description.storage import ExistingLustre, Lustre, Storage


def _on_hyperpod(part: type[StrictModel], name: str) -> str:
    """The HyperPod cluster has the security group of the control plane, and its network cannot change."""
    return Change.REPLACES if (part, name) == (ExistingControlPlane, "security_group") else stated_cost(part, name)


def _on_hyperpod_slurm(part: type[StrictModel], name: str) -> str:
    """Existing nodes keep the file system with which they started (SageMaker guide, sagemaker-hyperpod-ref, "FSx
    configuration via InstanceStorageConfigs")."""
    if issubclass(part, ExistingLustre) and name in ("id", "mount_name", "dns_name"):
        return Change.NEXT_LAUNCH
    return stated_cost(part, name)


_PLACED = Reservation | ReservationGroup
_OF_CAPACITY = Capacity | CapacityBlock | _PLACED

_FOR_GOOD = Network | ExistingNetwork | CreatedNetwork | Storage | Lustre | ExistingLustre
"""A file system that is replaced has another id, but ParallelCluster does not change the id below a mount name: another
file system needs another name."""


def _on_parallelcluster(part: type[StrictModel], name: str) -> str:
    """How ParallelCluster changes fields that all backends share: the network of the head node cannot change; queues
    can. Source: update policies of `cluster_schema.py`, aws-parallelcluster 3.16.1 (`HeadNodeNetworkingSchema`,
    `SlurmQueueSchema.capacity_type`, `CapacityReservationTargetSchema`, `PlacementGroupSchema`)."""
    stated = stated_cost(part, name)
    if issubclass(part, _PLACED) and name in ("provided_by", "placement_group"):
        return Change.FLEET_STOP
    if (part, name) == (ExistingLustre, "id") or (stated == Change.REPLACES and issubclass(part, _FOR_GOOD)):
        return Change.REFUSED
    if stated == Change.REPLACES and issubclass(part, _OF_CAPACITY):
        return Change.DRAINS
    return stated


def _on_pcs(part: type[StrictModel], name: str) -> str:
    """A group's launch template, subnets and purchase option change in place, and new nodes have the new values
    (PCS user guide, "Updating an AWS PCS compute node group")."""
    stated = stated_cost(part, name)
    if stated in (Change.REPLACES, Change.DRAINS) and issubclass(part, _OF_CAPACITY):
        return Change.NEXT_LAUNCH
    return stated


ON_HYPERPOD = ChangeCosts(_on_hyperpod)
ON_HYPERPOD_SLURM = ChangeCosts(_on_hyperpod_slurm)
ON_PARALLELCLUSTER = ChangeCosts(
    _on_parallelcluster,
    {
        Change.DRAINS: (
            "nodes of its queues are replaced after their jobs end, or at once if slurm.on-update is terminate"
        ),
        Change.REFUSED: (
            "`up` fails: ParallelCluster does not change it in an existing cluster; another name creates a new cluster"
        ),
    },
)
ON_PCS = ChangeCosts(_on_pcs)
