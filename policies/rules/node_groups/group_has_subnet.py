"""A group's zone against the network."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode, InstanceGroup, NodeGroup, Queue
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.zones import ZONE_NAME, region_of
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import declared_zone, zones_disagree
from policies.lookups.launch_templates import is_described
from policies.lookups.parallelcluster import display_name
from policies.lookups.zones import zones_path


@rule(
    "group-has-subnet",
    title="A group has at least one subnet",
    judges=NodeGroup | InstanceGroup | ComputeResource | HeadNode | Queue,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Without a subnet in its zone a group has nowhere to be; EKS refuses it after the control plane is paid for.",
    source="EKS API, CreateNodegroup; SageMaker API, OverrideVpcConfig; aws-parallelcluster 3.16.1, "
    "SlurmQueueNetworkingSchema and HeadNodeNetworkingSchema (SubnetIds, SubnetId)",
    remedy="Name a zone that the network has a subnet in.",
    facts=("pains.md#4",),
)
def group_has_subnet(group: AnyGroup | HeadNode | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(group, HeadNode | Queue):
        yield from _of_head(group, fleet, rule) if isinstance(group, HeadNode) else _of_queue(group, fleet, rule)
        return
    if group.subnets != ():  # unknown ones are some
        return
    if isinstance(group, InstanceGroup) and zones_disagree(group, fleet) and group.zone == declared_zone(group):
        return  # training-plan-zone names the zone that both are in
    zones = _zones(fleet)
    place, at = zones_path(group, fleet)
    if isinstance(group, ComputeResource) and (of_queue := _queues_zones(group, fleet)):
        yield rule.finding(place, *_in_queue(group, of_queue, zones), at=at)
        return
    if group.zone and fleet.region and ZONE_NAME.fullmatch(group.zone) and region_of(group.zone) != fleet.region:
        got = f"{group.zone} is not a zone of {fleet.region} (subnets there are in {and_list(zones)})"
        remedy = f"name a zone of {fleet.region}, or set aws:region: {region_of(group.zone)}"
    elif group.zone:
        got = (
            f"the network lists no subnet of the group's kind in {group.zone} (subnets there are in {and_list(zones)})"
        )
        created = any(subnet.created for subnet in fleet.subnets.values()) and is_described(group.place)
        how = (
            f"add {group.zone} to network.create.zones"
            if created
            else f"list its subnet in {group.zone} in the network"
        )
        remedy = f"{how}, or name another zone{_said_by(group)}"
    else:
        got = "the network lists no subnet of the group's kind"
        remedy = "list such subnets in the network, or take the others (subnets: private)"
    yield rule.finding(place, got, remedy, at=at if group.zone or at == "zones" else "subnets")


def _zones(fleet: Fleet) -> set[str]:
    return {subnet.zone for subnet in fleet.subnets.values() if subnet.zone}


def _queues_zones(group: ComputeResource, fleet: Fleet) -> tuple[str, ...]:
    """The zones that the group's queue names."""
    queue = fleet.find(Queue, group.queue)
    return queue.zones if queue else ()


def _in_queue(group: ComputeResource, of_queue: tuple[str, ...], zones: set[str]) -> tuple[str, str]:
    """What was found and the remedy for a queue that names its zones: the network needs subnets there, whatever the
    zone of the group's capacity is."""
    if group.zone and group.zone not in of_queue and group.capacity is not None:
        got = (
            f"the queue is in {and_list(of_queue)}, and the {_HELD[group.capacity.chosen]} "
            f"of {display_name(group)} in {group.zone}"
        )
        return got, f"write zones: [{group.zone}], or leave zones out"
    got = f"the network lists no private subnet in {and_list(of_queue)} (subnets there are in {and_list(zones)})"
    return got, "list one there in the network, or name another zone"


_HELD = {"reservation": "reservation", "reservation-group": "reservations", "capacity-block": "Capacity Block"}


def _of_head(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.subnet is None:
        zones = _zones(fleet)
        there = f" where it is to be (subnets there are in {and_list(zones)})" if zones else ""
        got = f"the network lists no subnet for the head node{there}"
        yield rule.finding(head.place, got, "name a zone that has one (zone), or the other kind (subnets)", at="zone")


def _of_queue(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a queue with subnets in only some of its zones. Its compute resources report a queue without any."""
    known = fleet.zones_of(queue.subnets) if queue.subnets is not UNKNOWN else None
    lacking = [zone for zone in queue.zones if zone not in known] if known else []
    if lacking:
        got = f"the network lists no private subnet in {and_list(lacking)}"
        yield rule.finding(queue.place, got, "list one there in the network, or take the zone out", at="zones")


def _said_by(group: AnyGroup) -> str:
    """Text about the capacity's zone where it equals the group's: a group without a zone has its capacity's."""
    capacity = group.capacity
    if capacity is None or capacity.held is None or capacity.held.zone != group.zone:
        return ""
    return f" (capacity.{capacity.chosen}.zone says this one)"
