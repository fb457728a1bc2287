"""What rules read of a cluster on ParallelCluster, its head node, its queues and their compute resources."""

from dataclasses import dataclass

from muster.fleet.hardware import Hardware, UnknownInstance, architecture_of, hardware
from muster.fleet.hardware.plain_types import attributes_of
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, ParallelCluster, Queue
from muster.fleet.unknown import UNKNOWN
from policies.words import some

BLOCK, SPOT, ON_DEMAND = "CAPACITY_BLOCK", "SPOT", "ONDEMAND"
"""Capacity types of queues (`CapacityType`, pcluster/config/common.py of 3.16.1)."""


def called(thing: ParallelCluster | HeadNode | Queue | ComputeResource) -> str:
    """What a finding calls it: the parts of a program's configuration share its URN, so that alone tells nothing."""
    if isinstance(thing, HeadNode):
        return "the head node"
    return thing.name if isinstance(thing.name, str) and thing.name else thing.ref.name


def cluster_of(thing: HeadNode | Queue | ComputeResource, fleet: Fleet) -> ParallelCluster | None:
    """The cluster of a thing."""
    if not isinstance(thing, ComputeResource):
        return fleet.find(ParallelCluster, thing.cluster)
    queue = queue_of(thing, fleet)
    return fleet.find(ParallelCluster, queue.cluster) if queue else None


def head_of(cluster: ParallelCluster, fleet: Fleet) -> HeadNode | None:
    """The head node of a cluster."""
    return next((each for each in fleet.of(HeadNode) if each.cluster == cluster.ref), None)


def queue_of(resource: ComputeResource, fleet: Fleet) -> Queue | None:
    """The queue of a compute resource."""
    return fleet.find(Queue, resource.queue)


def queues_of(cluster: ParallelCluster, fleet: Fleet) -> tuple[Queue, ...]:
    """The queues of a cluster."""
    return tuple(queue for queue in fleet.of(Queue) if queue.cluster == cluster.ref)


def resources_of(thing: ParallelCluster | Queue, fleet: Fleet) -> tuple[ComputeResource, ...]:
    """The compute resources of a queue, or of all queues of a cluster."""
    queues = {thing.ref} if isinstance(thing, Queue) else {queue.ref for queue in queues_of(thing, fleet)}
    return tuple(each for each in fleet.of(ComputeResource) if each.queue in queues)


def types_of(resource: ComputeResource) -> tuple[str, ...]:
    """A compute resource's instance types, as far as they are known."""
    return () if resource.instances is UNKNOWN else resource.instances


def machine_of(instance: object) -> tuple[Hardware | None, str]:
    """The catalogue's row of a type, and what is missing of it. Neither of no type at all."""
    if instance is UNKNOWN:
        return None, "the instance type, not known before creation"
    if not isinstance(instance, str):
        return None, ""
    try:
        return hardware(instance), ""
    except UnknownInstance:
        return None, f"the hardware of {instance}, which is not catalogued"


@dataclass(frozen=True, slots=True)
class Traits:
    """What a type is, as far as its name tells."""

    architecture: str | None
    nvme: bool | None


def traits_of(instance: object) -> tuple[Traits, str]:
    """A type's processor and disks, None where they are not known, and what is then missing. Head nodes are of more
    types than are catalogued."""
    machine, missing = machine_of(instance)
    if machine:
        disks = machine.nvme_gb
        unstated = f"the disks of {machine.instance}, which no source states" if disks is None else ""
        return Traits(machine.architecture, None if disks is None else bool(disks)), unstated
    if not isinstance(instance, str):
        return Traits(None, None), missing
    attributes = attributes_of(instance)
    return Traits(architecture_of(instance), None if attributes is None else "d" in attributes), missing


def machines_in(resource: ComputeResource) -> tuple[tuple[Hardware, ...], str]:
    """The catalogue's rows of a compute resource's types, and what is missing of them."""
    if resource.instances is UNKNOWN:
        return (), f"the instance type of {called(resource)}, not known before creation"
    rows = [machine_of(each) for each in resource.instances]
    missing = some(words for _, words in rows if words) if any(words for _, words in rows) else ""
    return tuple(row for row, _ in rows if row), missing


def most_nodes(cluster: ParallelCluster, fleet: Fleet) -> tuple[int, str]:
    """The most compute nodes of a cluster, as far as they are known, and what is missing of them."""
    counts = [each.nodes_max for each in resources_of(cluster, fleet)]
    unknown = any(each is UNKNOWN for each in counts)
    missing = "the most nodes of every compute resource, not known before creation" if unknown else ""
    return sum(each for each in counts if isinstance(each, int)), missing
