"""A ParallelCluster cluster, its head node, queues and compute resources, and with which settings ParallelCluster
launches their instances."""

from muster.fleet.resources import (
    ComputeResource,
    Fleet,
    HeadNode,
    LoginPool,
    ParallelCluster,
    Queue,
    Reference,
)
from muster.hardware.ami import platform_of as platform_of_os
from muster.hardware.catalogue import Hardware
from muster.hardware.interfaces import Layout, service_slots
from muster.unknown import if_known, stored

BLOCK, SPOT, ON_DEMAND = "CAPACITY_BLOCK", "SPOT", "ONDEMAND"
"""Capacity types of queues (`CapacityType`, pcluster/config/common.py of 3.16.1)."""


def display_name(thing: ParallelCluster | HeadNode | LoginPool | Queue | ComputeResource) -> str:
    """The name in findings: all parts of a program's configuration share its URN, which does not tell which."""
    if isinstance(thing, HeadNode):
        return "the head node"
    name: str = stored(thing, "name", None) or thing.ref.name
    return f"login node pool {name}" if isinstance(thing, LoginPool) else name


def cluster_of(thing: HeadNode | LoginPool | Queue | ComputeResource, fleet: Fleet) -> ParallelCluster | None:
    """The cluster of a thing."""
    if not isinstance(thing, ComputeResource):
        return fleet.find(ParallelCluster, thing.cluster)
    queue = queue_of(thing, fleet)
    return fleet.find(ParallelCluster, queue.cluster) if queue else None


def head_of(cluster: ParallelCluster, fleet: Fleet) -> HeadNode | None:
    """The head node of a cluster."""
    return next(iter(fleet.having(HeadNode, "cluster", cluster.ref)), None)


def queue_of(resource: ComputeResource, fleet: Fleet) -> Queue | None:
    """The queue of a compute resource."""
    return fleet.find(Queue, resource.queue)


def resources_of(thing: ParallelCluster | Queue, fleet: Fleet) -> tuple[ComputeResource, ...]:
    """The compute resources of a queue, or of all queues of a cluster."""
    queues = [thing] if isinstance(thing, Queue) else fleet.having(Queue, "cluster", thing.ref)
    return tuple(each for queue in queues for each in fleet.having(ComputeResource, "queue", queue.ref))


def types_of(thing: ComputeResource | HeadNode | LoginPool) -> tuple[str, ...]:
    """The instance types of a thing; none where its reservation decides, or where it sets none."""
    if isinstance(thing, ComputeResource):
        return thing.instances
    return () if thing.instance is None else (thing.instance,)


# What rules read about ParallelCluster's compute resources: the settings with which its instances are launched.
#
# ParallelCluster makes a launch template for each (`templates/queues_stack.py` of 3.16.1). This derives what the
# template would contain, so that rules about launch templates can judge a compute resource.


def platform_of(group: ComputeResource, fleet: Fleet) -> str | None:
    """The platform of its instances, in EC2's words; None if it is not known."""
    cluster = cluster_of(group, fleet)
    os = stored(cluster, "os", None) if cluster else None
    return platform_of_os(os) if os else None


def placement(group: ComputeResource) -> Reference | None:
    """The placement group that its instances are launched in; for one that ParallelCluster creates, its name in
    findings. None if there is none."""
    given = group.placement
    return given.name if given.name is not None else MADE_PLACEMENT if given.enabled else None


MADE_PLACEMENT = "one that ParallelCluster creates"
"""The text for a placement group that has no name before ParallelCluster creates it."""


def interfaces(group: ComputeResource, machine: Hardware) -> int:
    """The number of network interfaces of a node: without EFA, one on each card. Where it is not known whether several
    cards have EFA, at least so many."""
    efa = if_known(lambda: group.has_efa, False) if machine.network_cards > 1 else group.has_efa
    return len(service_slots(machine, Layout.AWS)) if efa else machine.network_cards
