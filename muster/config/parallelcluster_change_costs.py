"""What changes cost on ParallelCluster."""

from muster.config.change_costs import ChangeCosts, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.capacity import Capacity, CapacityBlock, Reservation, ReservationGroup
from muster.config.description.network import CreatedNetwork, ExistingNetwork, Network
from muster.config.description.storage import ExistingLustre, Lustre, Storage

_PLACED = Reservation | ReservationGroup

_FOR_GOOD = Network | ExistingNetwork | CreatedNetwork | Storage | Lustre | ExistingLustre
"""A file system that is replaced has another id, but ParallelCluster does not change the id below a mount name: another
file system needs another name."""


def _cost(part: type[StrictModel], name: str) -> str:
    """How ParallelCluster changes fields that all backends share: the network of the head node cannot change; queues
    can. Source: update policies of `cluster_schema.py`, aws-parallelcluster 3.16.1 (`HeadNodeNetworkingSchema`,
    `SlurmQueueSchema.capacity_type`, `CapacityReservationTargetSchema`, `PlacementGroupSchema`)."""
    stated = stated_cost(part, name)
    if issubclass(part, _PLACED) and name in ("provided_by", "placement_group"):
        return Change.FLEET_STOP
    if (part, name) == (ExistingLustre, "id") or (stated == Change.REPLACES and issubclass(part, _FOR_GOOD)):
        return Change.REFUSED
    if stated == Change.REPLACES and issubclass(part, Capacity | CapacityBlock | _PLACED):
        return Change.DRAINS
    return stated


COSTS = ChangeCosts(
    _cost,
    {
        Change.DRAINS: (
            "nodes of its queues are replaced after their jobs end, or at once if slurm.on-update is terminate"
        ),
        Change.REFUSED: (
            "`up` fails: ParallelCluster does not change it in an existing cluster; another name creates a new cluster"
        ),
    },
)
