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
    if isinstance(group, AnyGroup) and group.named_subnets:
        return (queue.place if queue else group.place), "subnets"
    return (queue.place, "zones") if queue else (group.place, "zone")


def in_one_zone(
    zones: Iterable[str],
    group: AnyGroup | HeadNode | LoginPool,
    fleet: Fleet,
    *,
    at: str,
    public: bool = False,
) -> Edit:
    """The edit that puts a group into one of the zones: ``zone: us-west-2a``, ``zones: [us-west-2a]``; of a described
    one, into one in which the network has a subnet, if there is any.

    Args:
        zones: the zones.
        group: the group.
        fleet: its cluster.
        at: the field that has its zones.
        public: whether it needs a public subnet.
    """
    good = sorted(zones)
    if at.endswith("subnets"):
        return set_to(at=at, words=f"subnets in {or_list(good)} only")
    there = [each.zone for each in fleet.subnets.values() if each.public is public]
    if group.place.described and not set(good) & set(there):
        return set_to(at=at, words=f"{or_list(good)}, after you list a subnet there in the network")
    values = ([each] if at.endswith("zones") else each for each in good if not group.place.described or each in there)
    return set_to(*values, at=at, in_program=f"subnets in {or_list(good)} only")
