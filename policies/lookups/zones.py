"""Whether a group's subnets are in one zone."""

from collections.abc import Iterable

from muster.edits import Edit, set_to
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, InstanceGroup, LoginPool, NodeGroup, Place, Queue
from muster.fleet.resources.fleet import AnyGroup
from muster.message_text import or_list
from muster.policies.engine.finding_text import name_list
from muster.unknown import known


def several_zones(group: AnyGroup, fleet: Fleet) -> frozenset[str]:
    """The zones of a group that is in more than one, else none.

    One subnet is in one zone, whichever it is. A group without a subnet is group-has-subnet's finding.

    Raises:
        NotKnown: it may be in more than one.
    """
    among = None if isinstance(group, NodeGroup) else group.subnets_among
    if among and not known(lambda: group.subnets):
        of_all = fleet.zones_of(among.candidates)
        if among.count <= 1 or (of_all and len(of_all) == 1):
            return frozenset()
    if len(group.subnets) <= 1:
        return frozenset()
    zones = fleet.need(fleet.zones_of(group.subnets), f"the zones of subnets {name_list(group.subnets)}")
    return zones if len(zones) > 1 else frozenset()


def zones_path(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet) -> tuple[Place, str]:
    """Where the zones of a group are set: for a compute resource, in its queue; for the controller and the login nodes
    of a described cluster on HyperPod, in the cluster."""
    if isinstance(group, InstanceGroup) and group.node_type in ("Controller", "Login") and group.place.described:
        return Place(""), "zone"
    queue = fleet.find(Queue, group.queue) if isinstance(group, ComputeResource) else None
    return (queue.place, "zones") if queue else (group.place, "zone")


def in_one_zone(zones: Iterable[str], at: str, words: str = "") -> Edit:
    """The edit that puts a group into one of the zones: ``zone: us-west-2a``, ``zones: [us-west-2a]``."""
    good = sorted(zones)
    values = ([each] if at == "zones" else each for each in good)
    return set_to(*values, at=at, words=words, in_program=f"subnets in {or_list(good)} only")
