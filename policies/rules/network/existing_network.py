"""An existing VPC and its subnets, compared with the description."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.facts import VpcFacts
from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import Fleet, WholeCluster
from muster.hardware.zones import ZONE_NAME, region_of
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed, subnet_facts_expected, vpc_of
from muster.unknown import NotKnown


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


def _vpc_of(each: ResourceReference, fleet: Fleet) -> str | None:
    """The VPC of a resource by AWS's answer; None for a resource without a VPC, or without an answer."""
    if fleet.facts is None:
        return None
    if each.kind is ResourceKind.SUBNET:
        subnet = fleet.facts.subnets.get(each.id)
        return subnet.vpc if subnet else None
    group = fleet.facts.security_groups.get(each.id) if each.kind is ResourceKind.SECURITY_GROUP else None
    return group.vpc if group else None


def subnet_zone_as_declared(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from rule.each((_in_region, _observed), lambda judge: judge(cluster, fleet, rule), cluster.root)


def _in_region(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    declared = {subnet: zone for subnet in fleet.subnets.values() if (zone := subnet.declared_zone)}
    if declared and not fleet.region:
        raise NotKnown("the Region (aws:region)")
    elsewhere = {subnet: zone for subnet, zone in declared.items() if ZONE_NAME.fullmatch(zone)}
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
