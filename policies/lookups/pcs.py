"""The parts of a cluster on AWS PCS."""

from muster.fleet.resources import ComputeNodeGroup, Fleet, PcsCluster, PcsQueue
from muster.whole_number import version_numbers


def groups_of(cluster: PcsCluster, fleet: Fleet) -> tuple[ComputeNodeGroup, ...]:
    """The compute node groups of a cluster."""
    return tuple(fleet.having(ComputeNodeGroup, "cluster", cluster.ref))


def cluster_of(thing: ComputeNodeGroup | PcsQueue, fleet: Fleet) -> PcsCluster | None:
    """The cluster of a group or a queue; None if this program does not create it."""
    return fleet.find(PcsCluster, thing.cluster)


def release(version: object) -> tuple[int, ...] | None:
    """``25.11`` -> (25, 11); None for anything else."""
    numbers = version_numbers(str(version))
    return numbers if len(numbers) > 1 else None
