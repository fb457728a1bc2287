"""What rules read of ParallelCluster's compute resources: what each of its instances is launched with.

ParallelCluster makes a launch template of each (`templates/queues_stack.py` of 3.16.1). What that would hold is worked
out here, so that a rule about launch templates judges it as it is.
"""

from muster.fleet.hardware import Hardware
from muster.fleet.interfaces import Layout, slots
from muster.fleet.platform import platform_of as platform_of_os
from muster.fleet.resources import CapacityTarget, ComputeResource, Fleet, Reference
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.reading.slurm import cluster_of


def platform_of(group: ComputeResource, fleet: Fleet) -> str | None:
    """The platform of its instances in EC2's word; None where nobody knows."""
    cluster = cluster_of(group, fleet)
    os = cluster.os if cluster else None
    return platform_of_os(os) if isinstance(os, str) else None


def target(group: ComputeResource) -> CapacityTarget:
    """What its instances are launched into. Of an unknown one it is not known which kind it is: it counts as an unknown
    id."""
    return CapacityTarget(reservation=UNKNOWN) if group.target is UNKNOWN else group.target


def is_placed(group: ComputeResource) -> bool | UnknownType:
    """Whether its instances are launched in a placement group."""
    said = group.placement
    if said is UNKNOWN:
        return UNKNOWN
    return True if said.name is not None else UNKNOWN if said.enabled is UNKNOWN else bool(said.enabled)


def placement(group: ComputeResource) -> Reference | None | UnknownType:
    """The placement group that its instances are launched in; of one that ParallelCluster makes for it, what it is
    called in findings. None for none."""
    said = group.placement
    if said is UNKNOWN or said.name is not None:
        return UNKNOWN if said is UNKNOWN else said.name
    placed = is_placed(group)
    return UNKNOWN if placed is UNKNOWN else MADE_PLACEMENT if placed else None


MADE_PLACEMENT = "one that ParallelCluster makes"
"""What a placement group is called that has no name before it is there."""


def interfaces(group: ComputeResource, machine: Hardware) -> int | UnknownType:
    """How many network interfaces a node has: without EFA one on each card."""
    if group.has_efa is True:
        return len(slots(machine, Layout.AWS))
    return UNKNOWN if group.has_efa is UNKNOWN and machine.network_cards == 1 else machine.network_cards
