"""The parts of a cluster on AWS PCS."""

from muster.fleet.resources import ComputeNodeGroup, Fleet, PcsCluster, PcsQueue


def groups_of(cluster: PcsCluster, fleet: Fleet) -> tuple[ComputeNodeGroup, ...]:
    """The compute node groups of a cluster."""
    return tuple(fleet.having(ComputeNodeGroup, "cluster", cluster.ref))


def cluster_of(thing: ComputeNodeGroup | PcsQueue, fleet: Fleet) -> PcsCluster | None:
    """The cluster of a group or a queue; None if this program does not create it."""
    return fleet.find(PcsCluster, thing.cluster)
