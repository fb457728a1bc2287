"""Whether nodes reach AWS's services from the subnets that they are in."""

from collections.abc import Iterator
from typing import NamedTuple

from muster.fleet.facts import GatewayFault, SubnetFacts, WayOut
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster, Subnet
from policies.reading.networks import subnet_was_asked, vpc_of
from policies.reading.way_out import FAULTS, NEEDED, Lack, lack, lacking, mending, subnets_of_nodes
from policies.rule import Rule, Verdict, rule
from policies.words import agree, choice, some


@rule(
    "subnet-reaches-aws",
    title="Nodes' subnets have a way to AWS's services: NAT, public addresses, or endpoints",
    # One of each description: so that a subnet is spoken of once, whoever uses it.
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="A node asks EC2 for its addresses, ECR for images and S3 for scripts before it joins. Without a way there it "
    "runs, bills, and never joins. Control planes need none: EKS's own interfaces only answer.",
    source="EKS user guide, private-clusters; ParallelCluster guide, no internet access; VPC user guide, NAT gateways; "
    "Shared subnets; AWS PrivateLink guide, Gateway endpoints; Access an AWS service using an interface VPC endpoint; "
    "EC2 API, DescribeRouteTables",
    remedy="Route the subnet to a NAT gateway, or make endpoints for the services in the VPC.",
    facts=("rules.md#9", "rules.md#60", "pains.md#16"),
)
def subnet_reaches_aws(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    named = vpc_of(fleet)
    vpc = named.id if named else None
    needed = {service for backend in fleet.backends for service in NEEDED[backend]}
    stuck: dict[_Way, list[Subnet]] = {}
    for subnet in subnets_of_nodes(fleet):
        known = fleet.facts.subnets.get(subnet.id, SubnetFacts())
        # A person need not say where it leads.
        told = known.way_out is not None or subnet_was_asked(subnet, fleet)
        if told and not _leads_out(known):
            way = _Way(known.way_out, known.gateway, known.gateway_fault, lack(subnet.id, vpc, needed, fleet))
            stuck.setdefault(way, []).append(subnet)
    # Often they have one route table: said once, at the first of them.
    for way, subnets in stuck.items():
        yield from _judged(cluster, way, subnets, vpc, fleet, rule)


class _Way(NamedTuple):
    """What subnets that are spoken of together have in common."""

    out: WayOut | None
    gateway: str | None
    fault: GatewayFault | None
    lack: Lack | None


def _judged(
    cluster: ControlPlane | ParallelCluster, way: _Way, subnets: list[Subnet], vpc: str | None, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    where, network = some(each.id for each in subnets), vpc or "the VPC"
    if way.lack == Lack():
        return  # endpoints are enough, wherever else it leads
    have = agree(subnets, "has", "have")
    if way.out is None and way.gateway:
        what = f"whether {way.gateway}, to which {where} {agree(subnets, 'leads', 'lead')}, leads out of {network}"
        yield rule.unjudged(cluster.place, _untold(what, fleet))
    elif way.out is None:
        for each in subnets:
            yield rule.unjudged(cluster.place, fleet.missing(f"where {each.id} has its way out"))
    elif way.out is WayOut.OTHER:
        yield rule.unjudged(cluster.place, _behind(way, where, subnets, network))
    elif way.lack is None:
        what = f"the endpoints of {network}: {where} {have} no other way out"
        yield rule.unjudged(cluster.place, _untold(what, fleet) if way.gateway else fleet.missing(what))
    elif way.lack.services:
        works = " that is available, in a public subnet" if way.fault else ""
        yield rule.finding(
            cluster.place,
            at=subnets[0].declared_at,
            got=f"{where} {_why(way, subnets)}, and {'; '.join(lacking(way.lack, network))}",
            remedy=f"route 0.0.0.0/0 of {where} to a NAT gateway{works}, or {choice(mending(way.lack))}",
        )
    elif way.lack.open:
        yield rule.unjudged(cluster.place, f"{some(way.lack.open)}: {where} {have} no other way out")


def _leads_out(known: SubnetFacts) -> bool:
    if known.way_out is WayOut.INTERNET_GATEWAY:
        # Whether nodes may have the address that the subnet gives, several-interfaces-private-subnets says.
        return known.map_public_ip_on_launch is not False
    return known.way_out is WayOut.NAT


def _untold(what: str, fleet: Fleet) -> str:
    """What AWS does not say of somebody's network, though it was asked: by what it did not answer, or as the network is
    another's."""
    answered = fleet.silences is not None and not fleet.silences
    return f"{what}: {_OWNERS}" if answered else f"{fleet.missing(what)}; {_OWNERS}"


_OWNERS = "of a VPC that another account shares AWS tells that account alone: ask there"


def _why(way: _Way, subnets: list[Subnet]) -> str:
    if way.fault:
        return f"{agree(subnets, 'leads', 'lead')} to {way.gateway or 'a gateway'}, {FAULTS[way.fault]}"
    if way.out is WayOut.NONE:
        return agree(subnets, "has no way out", "have no way out")
    return agree(subnets, "leads", "lead") + " to an internet gateway without public addresses for nodes"


def _behind(way: _Way, where: str, subnets: list[Subnet], network: str) -> str:
    """What only another network's owner can say."""
    of = way.lack or Lack()
    needed = some(of.services) if of.services else ""
    by = way.gateway or "another network's gateway (a transit gateway, a VPN, a peer, an appliance)"
    services = needed or "AWS's services"
    reach = f"nodes reach {services} behind {by}, to which {where} {agree(subnets, 'leads', 'lead')}"
    if not of.open:
        what = f"whether {reach}"
    else:
        what = f"whether {reach}, and {some(of.open)}" if needed else f"{some(of.open)}, or {reach}"
    return (
        f"{what}: look at the route tables, NAT and firewalls behind it, or have "
        f"endpoints{f' of {needed}' if needed else ''} in {network} serve {agree(subnets, 'it', 'them')}"
    )
