"""A group's zone, compared with the network."""

from collections.abc import Iterator

from muster.edits import Remedy, add, remove, set_to
from muster.fleet.resources import (
    ComputeResource,
    Fleet,
    HeadNode,
    InstanceGroup,
    LoginPool,
    Place,
    Queue,
    SlurmHyperPodCluster,
)
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.zones import ZONE_NAME, region_of
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import declared_zone, zones_disagree
from muster.policies.lookups.parallelcluster import display_name
from muster.policies.lookups.zones import zones_path
from muster.unknown import known


def group_has_subnet(group: AnyGroup | HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not known(lambda: group.subnet if isinstance(group, HeadNode) else group.subnets):
        return  # a list that is not known yet is set
    if isinstance(group, HeadNode | LoginPool | Queue):
        yield from _of_slurm(group, fleet, rule)
        return
    if group.subnets or _in_sagemakers_network(group, fleet):
        return
    if isinstance(group, InstanceGroup) and zones_disagree(group, fleet) and group.zone == declared_zone(group):
        return  # training-plan-zone reports the zone that both are in
    place, at = zones_path(group, fleet)
    if not place.described:
        change = set_to(words="subnets of the cluster's network")
        yield rule.finding(group, "zone", got="the group has no subnets", change=change, place=place)
        return
    if group.zone is None and isinstance(group, InstanceGroup) and fleet.find(SlurmHyperPodCluster, group.cluster):
        return  # the finding about the controller reports the zone of the cluster
    yield from _described(group, place, at, fleet, rule)


def _described(group: AnyGroup, place: Place, at: str, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The finding about a group of a description."""
    zones = _zones(fleet)
    if isinstance(group, ComputeResource) and (of_queue := _queues_zones(group, fleet)):
        yield _in_queue(group, of_queue, zones, place, rule)
        return
    if _capacity_zone_note(group) and group.capacity:
        place, at = group.place, f"capacity.{group.capacity.chosen}.zone"
    if group.zone and fleet.region and ZONE_NAME.fullmatch(group.zone) and region_of(group.zone) != fleet.region:
        got = f"{group.zone} is not a zone of {fleet.region} (the network's subnets are in {and_list(zones)})"
        change: tuple[Remedy, ...] = (f"use a zone of {fleet.region}", f"set aws:region: {region_of(group.zone)}")
    elif group.zone:
        got = f"the network lists no subnet of the group's kind in {group.zone} (its subnets are in {and_list(zones)})"
        created = any(subnet.created for subnet in fleet.subnets.values()) and group.place.described
        listed = f"list a subnet in {group.zone} in the network"
        change = (
            add(group.zone, at="/network.create.zones") if created else listed,
            f"use another zone{_capacity_zone_note(group)}",
        )
    else:
        got = "the network lists no subnet of the group's kind"
        change = ("list such subnets in the network", set_to("private", at="subnets"))
    at = at if group.zone or at == "zones" else "subnets"
    yield rule.finding(group, at, got=got, change=change, place=place)


def _in_sagemakers_network(group: AnyGroup, fleet: Fleet) -> bool:
    """Whether SageMaker launches the nodes in its VPC: those of Slurm, in a program without `vpcConfig`."""
    if not isinstance(group, InstanceGroup) or group.own_network or group.place.described:
        return False
    return fleet.find(SlurmHyperPodCluster, group.cluster) is not None


def _zones(fleet: Fleet) -> set[str]:
    return {subnet.zone for subnet in fleet.subnets.values() if subnet.zone}


def _queues_zones(group: ComputeResource, fleet: Fleet) -> tuple[str, ...]:
    """The zones that the group's queue sets."""
    queue = fleet.find(Queue, group.queue)
    return queue.zones if queue else ()


def _in_queue(group: ComputeResource, of_queue: tuple[str, ...], zones: set[str], place: Place, rule: Rule) -> Verdict:
    """The finding about a queue that sets its zones: the network needs subnets there, whatever the zone of the group's
    capacity is."""
    change: tuple[Remedy, ...] = ("list one there in the network", "use another zone")
    got = f"the network lists no private subnet in {and_list(of_queue)} (its subnets are in {and_list(zones)})"
    if group.zone and group.zone not in of_queue and group.capacity is not None:
        got = (
            f"the queue is in {and_list(of_queue)}, but the {_HELD[group.capacity.chosen]} "
            f"of {display_name(group)} is in {group.zone}"
        )
        change = (set_to([group.zone]), remove())
    return rule.finding(group, "zones", got=got, change=change, place=place)


_HELD = {"reservation": "reservation", "reservation-group": "reservation group", "capacity-block": "Capacity Block"}


def _of_slurm(thing: HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges what is not a group of nodes."""
    if isinstance(thing, Queue):
        yield from _of_queue(thing, fleet, rule)
    elif not (thing.subnet if isinstance(thing, HeadNode) else thing.subnets):
        zones = _zones(fleet)
        there = f" in its zone (its subnets are in {and_list(zones)})" if zones else ""
        named = "the head node" if isinstance(thing, HeadNode) else display_name(thing)
        change = set_to(words="one that the network has"), "use the other kind of subnets (subnets)"
        yield rule.finding(thing, "zone", got=f"the network lists no subnet for {named}{there}", change=change)
    elif isinstance(thing, LoginPool) and len(thing.subnets) > 1:
        got = f"{display_name(thing)} is in {len(thing.subnets)} subnets, but ParallelCluster accepts only one"
        yield rule.finding(thing, "zone", got=got, change=set_to(words="one subnet"))


def _of_queue(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a queue with subnets in only some of its zones. Its compute resources report a queue that has none."""
    there = fleet.zones_of(queue.subnets)
    lacking = [zone for zone in queue.zones if zone not in there] if there else []
    if lacking:
        got = f"the network lists no private subnet in {and_list(lacking)}"
        yield rule.finding(queue, "zones", got=got, change="list one there in the network, or remove the zone")


def _capacity_zone_note(group: AnyGroup) -> str:
    """Text about the capacity's zone if it equals the group's: a group without a zone has its capacity's."""
    capacity = group.capacity
    if capacity is None or capacity.held is None or capacity.held.zone != group.zone:
        return ""
    return f" (capacity.{capacity.chosen}.zone sets this one)"
