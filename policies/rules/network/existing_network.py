"""A VPC and its subnets: an existing one compared with the description, and the addresses of a new one."""

from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Network
from itertools import chain
from typing import get_args

from muster.edits import set_to
from muster.fleet.facts import VpcFacts
from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import (
    CapacityReservation,
    ComputeNodeGroup,
    CountedResource,
    Fleet,
    InstanceGroup,
    NodeGroup,
    Place,
    WholeCluster,
)
from muster.fleet.resources.ref import VPC
from muster.hardware.offerings import region_of_zone_id
from muster.hardware.zones import ZONE_ID, ZONE_NAME, region_of
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed, subnet_facts_expected, vpc_of
from muster.unknown import NotKnown, stored


def named_things_in_vpc(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    vpc = vpc_of(fleet)
    if vpc is None or fleet.gone(ResourceKind.VPC, vpc.id):
        return
    inside = {each: where for each in fleet.named if (where := _vpc_of(each, fleet))}
    elsewhere = {each: where for each, where in inside.items() if where != vpc.id}
    subnets = {where for each, where in inside.items() if each.kind is ResourceKind.SUBNET}
    if len(subnets) == 1 and elsewhere == inside:
        # All are in one VPC, so the VPC's id is the wrong one.
        (real,) = subnets
        kinds = and_list({f"{each.kind}s" for each in inside})
        got = f"the description names {vpc.id}, but its {kinds} are in {real} according to AWS"
        yield rule.finding(cluster.root, vpc.at, got=got, change=(set_to(real), f"use subnets of {vpc.id}"))
        return
    for each, where in elsewhere.items():
        got = f"{each.id} is in {where} according to AWS, but the network is in {vpc.id}"
        yield rule.finding(cluster.root, each.at, got=got, change=f"use a {each.kind} of {vpc.id}")
    unseen = [each for each in fleet.named if each.kind in _IN_A_VPC and not each.blank and each not in inside]
    if ids := [each.id for each in unseen if not fleet.gone(each.kind, each.id)]:
        raise NotKnown(fleet.missing(f"the VPC of {and_list(ids)}"))


_IN_A_VPC = (ResourceKind.SUBNET, ResourceKind.SECURITY_GROUP)


def _vpc_of(each: ResourceReference, fleet: Fleet) -> str | None:
    """The VPC of a resource by AWS's answer; None for a resource without a VPC, or without an answer."""
    if fleet.facts is None:
        return None
    if each.kind is ResourceKind.SUBNET:
        subnet = fleet.facts.subnets.get(each.id)
        return subnet.vpc if subnet else None
    group = fleet.facts.security_groups.get(each.id) if each.kind is ResourceKind.SECURITY_GROUP else None
    return group.vpc if group else None


def subnet_zone_as_declared(
    thing: WholeCluster | NodeGroup | InstanceGroup | ComputeNodeGroup, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if thing is next(chain(*map(fleet.of, get_args(WholeCluster)), fleet.groups)):
        yield from _names_and_ids(fleet, rule)  # once; a program may have groups alone
    if isinstance(thing, WholeCluster):
        yield from rule.each((_in_region, _observed), lambda judge: judge(thing, fleet, rule), thing.root)


def _names_and_ids(fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """A program may mix them up; a description may have the ids of another account."""
    every = fleet.subnets.values()
    names = {id_: name for name, id_ in (fleet.facts.zone_ids if fleet.facts else {}).items()}
    reserved = ((stored(each, "zone"), each.place) for each in fleet.of(CapacityReservation))
    mixed_up = {("availabilityZone", zone): place for zone, place in reserved if ZONE_ID.fullmatch(str(zone))}
    for subnet in every:
        zone, id_ = subnet.declared_zone or "", subnet.declared_zone_id or ""
        if subnet.place and ZONE_ID.fullmatch(zone):
            mixed_up.setdefault(("availabilityZone", zone), subnet.place)
        elif subnet.place and ZONE_NAME.fullmatch(id_):
            mixed_up.setdefault(("availabilityZoneId", id_), subnet.place)
    for (at, given), place in mixed_up.items():
        is_id = at == "availabilityZone"
        got = f"{given} is the {'id' if is_id else 'name'} of a zone, not its {'name' if is_id else 'id'}"
        name = names.get(given, f"the name of {given} in your account") if is_id else given
        yield rule.finding(place, at, got=got, change=set_to(name, at="availabilityZone"))
    wrong = {
        each.declared_zone: each
        for each in every
        if each.declared_zone_id and each.declared_zone_id != each.zone_id and not each.place
        if each.observed_zone in (None, each.declared_zone)
    }
    for where, subnet in wrong.items():
        kind = "create" if subnet.created else "existing"
        got = f"{where} is {subnet.zone_id} in this account according to AWS, not {subnet.declared_zone_id}"
        yield rule.finding(Place(""), f"network.{kind}.zone-ids.{where}", got=got, change=set_to(subnet.zone_id))


def _in_region(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    declared = {subnet: zone for subnet in fleet.subnets.values() if (zone := subnet.declared_zone)}
    if declared and not fleet.region:
        raise NotKnown("the Region (aws:region)")
    elsewhere = {subnet: zone for subnet, zone in declared.items() if ZONE_NAME.fullmatch(zone)}
    for subnet in fleet.subnets.values() if fleet.region else ():
        where = region_of_zone_id(subnet.declared_zone_id or "")
        if subnet.place and where not in (None, fleet.region):
            got = f"{subnet.declared_zone_id} is a zone of {where}, not of {fleet.region}"
            change = f"use a zone of {fleet.region}"
            yield rule.finding(subnet.place, "availabilityZoneId", got=got, change=change)
    for subnet, zone in elsewhere.items():
        if region_of(zone) != fleet.region:
            yield rule.finding(
                cluster.root,
                "network.create.zones" if subnet.created else subnet.declared_at,
                got=f"{zone} is not a zone of {fleet.region}",
                change=(f"use a zone of {fleet.region}", f"set the Region to {region_of(zone)}"),
            )


def _observed(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Compares with what AWS reports."""
    declared = [each for each in fleet.subnets.values() if each.declared_zone]
    for subnet in declared:
        if subnet.observed_zone and subnet.declared_zone != subnet.observed_zone:
            yield rule.finding(
                cluster.root,
                subnet.declared_at,
                got=f"{subnet.id} is listed under {subnet.declared_zone}, but is in {subnet.observed_zone} according "
                "to AWS",
                change=(f"list it under {subnet.observed_zone}", f"set a subnet of {subnet.declared_zone} here"),
            )
    unseen = [each.id for each in declared if each.observed_zone is None and subnet_facts_expected(each, fleet)]
    if unseen:
        raise NotKnown(fleet.missing(f"the zones of {and_list(unseen)}"))


def vpc_addresses_private(vpc: CountedResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if vpc.ref.type != VPC or vpc.cidr is None:
        return
    with suppress(ValueError):  # AWS refuses what is no network
        if IPv4Network(vpc.cidr, strict=False).is_global:
            got = f"{vpc.cidr} are public addresses"
            change = set_to("10.0.0.0/16", words="or another range of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16")
            yield rule.finding(vpc, "cidr", got=got, change=change)


_FLAGS = {"DNS support": "--enable-dns-support", "DNS host names": "--enable-dns-hostnames"}


def vpc_resolves_names(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    vpc = vpc_of(fleet)
    if vpc is None or fleet.gone(ResourceKind.VPC, vpc.id):
        return
    known = fleet.facts.vpcs.get(vpc.id, VpcFacts()) if fleet.facts else VpcFacts()
    settings = {"DNS support": known.dns_support, "DNS host names": known.dns_hostnames}
    off = [name for name, on in settings.items() if on is False]
    unknown = [name for name, on in settings.items() if on is None]
    if off:
        region = f" --region {fleet.region}" if fleet.region else ""
        commands = (f"`aws ec2 modify-vpc-attribute --vpc-id {vpc.id} {_FLAGS[name]}{region}`" for name in off)
        got = f"{vpc.id} has {and_list(off)} turned off"
        yield rule.finding(cluster.root, vpc.at, got=got, change=f"have its owner run {' and '.join(commands)}")
    if unknown and facts_observed(fleet) and not vpc.blank:
        raise NotKnown(fleet.missing(f"{and_list(unknown)} of {vpc.id}"))
