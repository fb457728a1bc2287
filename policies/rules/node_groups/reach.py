"""A group's place in the network: its subnets, and its way to the control plane."""

from collections.abc import Iterator, Mapping

from muster.edits import Remedy, add, set_to
from muster.fleet.resources import (
    ComputeResource,
    ControlPlane,
    Fleet,
    HeadNode,
    InstanceGroup,
    LoginPool,
    Place,
    Queue,
    Ref,
    Reference,
    SecurityGroup,
    SlurmHyperPodCluster,
)
from muster.fleet.resources.fleet import AnyGroup, KubernetesGroup
from muster.fleet.resources.ref import CLUSTER
from muster.hardware.zones import ZONE_NAME, region_of
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import cluster_of, control_plane_of, declared_zone, zones_disagree
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.parallelcluster import display_name
from muster.policies.lookups.zones import zones_path
from muster.unknown import NotKnown, if_known, known, stored


def group_has_subnet(group: AnyGroup | HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not known(lambda: group.subnet if isinstance(group, HeadNode) else group.subnets):
        return  # a list that is not known yet is set
    if isinstance(group, HeadNode | LoginPool | Queue):
        yield from _of_slurm(group, fleet, rule)
        return
    slurms = isinstance(group, InstanceGroup) and fleet.find(SlurmHyperPodCluster, group.cluster) is not None
    if group.subnets:
        return
    if isinstance(group, InstanceGroup):
        if slurms and not group.own_network and not group.place.described:
            return  # SageMaker launches these nodes in its VPC: those of Slurm, in a program without `vpcConfig`
        if zones_disagree(group, fleet) and group.zone == declared_zone(group):
            return  # training-plan-zone reports the zone that both are in
    place, at = zones_path(group, fleet)
    if not place.described:
        change = set_to(words="subnets of the cluster's network")
        yield rule.finding(group, "subnets", got="the group has no subnets", change=change, place=place)
    elif group.zone or not slurms:  # else the finding about the controller reports the zone of the cluster
        yield from _described(group, place, at, fleet, rule)


def _described(group: AnyGroup, place: Place, at: str, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The finding about a group of a description."""
    queue = fleet.find(Queue, group.queue) if isinstance(group, ComputeResource) else None
    # A queue that sets its zones needs subnets there, whatever the zone of the group's capacity is.
    wanted = queue.zones if queue and queue.zones else (group.zone,) if group.zone else ()
    held = group.capacity.held if group.capacity else None
    if held and group.capacity and held.zone == group.zone and not (queue and queue.zones):
        place, at = group.place, f"capacity.{group.capacity.chosen}.zone"  # its zone is the capacity's
    elif not wanted and at != "zones":
        at = "subnets"
    zone, near = wanted[0] if wanted else "", f"its subnets are in {and_list(_zones(fleet))}"
    change: tuple[Remedy, ...]
    if fleet.region and ZONE_NAME.fullmatch(zone) and region_of(zone) != fleet.region:
        got = f"{zone} is not a zone of {fleet.region} ({near})"
        change = (f"use a zone of {fleet.region}", f"set aws:region: {region_of(zone)}")
    elif wanted:
        got = f"the network lists no subnet of the group's kind in {and_list(wanted)} ({near})"
        created = any(subnet.created for subnet in fleet.subnets.values())
        listed = add(zone, at="/network.create.zones") if created else "list one there in the network"
        change = (listed, "use another zone")
    else:
        got = "the network lists no subnet of the group's kind"
        change = ("list such subnets in the network", set_to("private", at="subnets"))
    yield rule.finding(group, at, got=got, change=change, place=place)


def _zones(fleet: Fleet) -> set[str]:
    return {subnet.zone for subnet in fleet.subnets.values() if subnet.zone}


def _of_slurm(thing: HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges what is not a group of nodes. The compute resources of a queue report that it has no subnet at all."""
    if isinstance(thing, Queue):
        there = fleet.zones_of(thing.subnets)
        if lacking := [zone for zone in thing.zones if zone not in there] if there else []:
            got = f"the network lists no private subnet in {and_list(lacking)}"
            yield rule.finding(thing, "zones", got=got, change="list one there in the network, or remove the zone")
    elif not (thing.subnet if isinstance(thing, HeadNode) else thing.subnets):
        named = "the head node" if isinstance(thing, HeadNode) else display_name(thing)
        change = set_to(words="one that the network has"), "use the other kind of subnets (subnets)"
        got = f"the network lists no subnet for {named} in its zone (its subnets are in {and_list(_zones(fleet))})"
        yield rule.finding(thing, "zone", got=got, change=change)
    elif isinstance(thing, LoginPool) and len(thing.subnets) > 1:
        got = f"{display_name(thing)} is in {len(thing.subnets)} subnets, but ParallelCluster accepts only one"
        yield rule.finding(thing, "zone", got=got, change=set_to(words="one subnet"))


def node_template_reaches_control_plane(group: KubernetesGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    attached = if_known(lambda: _attached(group, fleet))
    # The ids are known only after creation, but the possible groups are known now.
    named, where = attached or (_possible(group, fleet), _OF_TEMPLATE)
    if named is None or any(_reaches(each, fleet) for each in named):
        return
    outside = [each for each in named if not isinstance(each, Ref)]
    if outside:
        raise NotKnown(f"the cluster's security group: whether it is reached by {and_list(outside)}")
    # The group of an existing cluster is an id, not a resource.
    if attached is None and (not named or any(cluster.existing for cluster in fleet.of(ControlPlane))):
        _attached(group, fleet)  # raises what is not known
    who, field = _CARRIERS[where]
    got = f"{who} only {name_list(named)}, and no way to the control plane"
    yield rule.finding(group, got=got, change=add(words="the cluster's security group", at=field))


_OF_INSTANCES, _OF_TEMPLATE = "of its instances", "of the template"
_AT_PRIMARY = "at card 0 / device 0"
_CARRIERS = {
    _OF_INSTANCES: ("its instances have", "overrideVpcConfig.securityGroupIds"),
    _OF_TEMPLATE: ("its launch template has", "vpcSecurityGroupIds"),
    _AT_PRIMARY: ("the interface at card 0 / device 0 has", "networkInterfaces.securityGroups"),
}
"""Where security groups are set -> what has them, and the property."""


def _attached(group: KubernetesGroup, fleet: Fleet) -> tuple[tuple[Reference, ...] | None, str]:
    """The security groups of a node's IP traffic, and where they are set. None if EKS attaches its own (the template
    sets no group), or if there is no primary interface."""
    if isinstance(group, InstanceGroup):
        cluster = cluster_of(group, fleet)  # Slurm's nodes join none
        return (group.security_groups if cluster and control_plane_of(cluster, fleet) else None), _OF_INSTANCES
    template = template_of(group, fleet)
    if template is None:
        return None, _OF_TEMPLATE
    if not template.interfaces:
        return template.security_groups or None, _OF_TEMPLATE
    primary = [nic for nic in template.interfaces if (nic.card, nic.device) == (0, 0)]
    groups = primary[0].security_groups if primary else None
    if not groups and not template.security_groups and not any(nic.security_groups for nic in template.interfaces):
        return None, _AT_PRIMARY
    return groups, _AT_PRIMARY


def _possible(group: KubernetesGroup, fleet: Fleet) -> tuple[Reference, ...]:
    """What a node's security groups are made of, where they are not known."""
    template = None if isinstance(group, InstanceGroup) else if_known(lambda: fleet.template_of(group))
    return tuple(template.depends_on) if template else ()


def _reaches(group: Reference, fleet: Fleet) -> bool:
    """Whether a group is the cluster's, is on the control plane's interfaces, or has rules with such a group."""
    near = {group, *(made.peers if (made := fleet.find(SecurityGroup, group)) else ())}
    of_peer, on_control_plane = _security_groups(fleet)
    near.update(of_peer.get(group, ()))
    return any(each in on_control_plane or (isinstance(each, Ref) and each.type == CLUSTER) for each in near)


@cached_by_identity(4)
def _security_groups(fleet: Fleet) -> tuple[Mapping[Reference, list[Ref]], set[Reference]]:
    """The groups that have rules with each group, and the groups of control planes."""
    of_peer: dict[Reference, list[Ref]] = {}
    for each in fleet.of(SecurityGroup):
        for peer in each.peers:
            of_peer.setdefault(peer, []).append(each.ref)
    planes = [stored(each, "security_groups", ()) for each in fleet.of(ControlPlane)]
    return of_peer, {each for groups in planes for each in groups}
