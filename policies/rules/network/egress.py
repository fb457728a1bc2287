"""How nodes reach AWS's services from a subnet."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from muster.fleet.facts import GatewayFault, SubnetFacts, WayOut
from muster.fleet.resource_references import ResourceReference
from muster.fleet.resources import ControlPlane, Fleet, HeadNode, LoginPool, ParallelCluster, PcsCluster, Subnet
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.account_facts import subnet_facts_expected, vpc_of
from muster.policies.lookups.endpoints import MissingEndpoints, missing_endpoints, needed_services
from muster.unknown import NotKnown, if_known, stored

FAULTS: Mapping[GatewayFault, str] = {
    GatewayFault.GONE: "which no longer exists",
    GatewayFault.NOT_AVAILABLE: "which is not available",
    GatewayFault.WITHOUT_INTERNET: "whose own subnet has no route to an internet gateway",
}


def missing_endpoints_text(of: MissingEndpoints, network: str) -> Iterator[str]:
    """``vpc-1 has no endpoint for ec2``."""
    if of.absent:
        yield f"{network} has no endpoint for {and_list(of.absent)}"
    closed = [name for name, groups in of.shut if not groups]
    if closed:
        yield f"no endpoint for {and_list(closed)} serves the subnets"
    for name, groups in of.shut:
        if groups:
            yield f"the endpoint for {name} allows only {and_list(groups)} on TCP 443, which not all nodes have"


def endpoints_remedy(of: MissingEndpoints) -> Iterator[str]:
    """``create endpoints for ec2 in the VPC``."""
    if of.absent:
        yield f"create endpoints for {and_list(of.absent)} in the VPC"
    if of.shut:
        those = f"the endpoints for {and_list(name for name, _ in of.shut)}"
        yield f"make {those} serve the subnet (route table of a gateway endpoint, TCP 443 of an interface endpoint)"


def subnets_of_nodes(fleet: Fleet) -> Iterator[Subnet]:
    """The existing subnets with nodes, except a public subnet with only a head node, which has a public address."""
    groups = (*fleet.groups, *fleet.of(LoginPool))
    used = {str(each) for group in groups for each in stored(group, "subnets", ())}
    heads = {stored(head, "subnet") for head in fleet.of(HeadNode)}
    for subnet in fleet.subnets.values():
        if not subnet.created and (subnet.id in used or (subnet.id in heads and not subnet.public)):
            yield subnet


@rule(
    "subnet-reaches-aws",
    title="Nodes can reach AWS's services from their subnets: by NAT, public addresses or endpoints",
    # Every description has exactly one of these, so each subnet is reported once.
    judges=ControlPlane | ParallelCluster | PcsCluster,
    backends=("eks", "hyperpod", "parallelcluster", "pcs"),
    why="Before a node joins, it calls EC2 for its addresses, ECR for images and S3 for scripts. If it cannot reach "
    "them, it runs, AWS bills it, and it never joins. Control planes need no route: EKS's own interfaces only answer.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html",
        "https://docs.aws.amazon.com/parallelcluster/latest/ug/aws-parallelcluster-in-a-single-public-subnet-no-internet-v3.html",
        "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-nat-gateway.html",
        "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-sharing.html",
        "https://docs.aws.amazon.com/vpc/latest/privatelink/gateway-endpoints.html",
        "https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html",
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeRouteTables.html",
    ),
    remedy="Route the subnet to a NAT gateway, or create endpoints for the services in the VPC. If the route leads to "
    "another network (through a transit gateway, a VPN, a peer, an appliance), check the route tables, NAT and "
    "firewalls behind it.",
    facts=("rules.md#9", "rules.md#60", "pains.md#16"),
)
def subnet_reaches_aws(
    cluster: ControlPlane | ParallelCluster | PcsCluster, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    vpc, needed = vpc_of(fleet), needed_services(fleet)
    stuck: dict[_Way, list[Subnet]] = {}
    for subnet in subnets_of_nodes(fleet):
        known = fleet.facts.subnets.get(subnet.id, SubnetFacts())
        # Facts written by hand need not have the route.
        is_answered = known.way_out is not None or subnet_facts_expected(subnet, fleet)
        if is_answered and not _leads_out(known):
            lack = partial(missing_endpoints, subnet.id, vpc.id if vpc else None, needed, fleet)
            way = _Way(known.way_out, known.gateway, known.gateway_fault, if_known(lack))
            if way.lack != MissingEndpoints():  # endpoints are enough, whatever the route
                stuck.setdefault(way, []).append(subnet)
    # Subnets often share a route table: reported once, at the first of them.
    yield from rule.each(stuck.items(), lambda each: _judged(cluster, *each, vpc, fleet, rule), cluster.place)


class _Way(NamedTuple):
    """What subnets that are reported together have in common."""

    out: WayOut | None
    gateway: str | None
    fault: GatewayFault | None
    lack: MissingEndpoints | None
    """None if it is not known."""


def _judged(
    cluster: ControlPlane | ParallelCluster | PcsCluster,
    way: _Way,
    subnets: list[Subnet],
    vpc: ResourceReference | None,
    fleet: Fleet,
    rule: Rule,
) -> Iterator[Verdict]:
    where, network = and_list(each.id for each in subnets), vpc.id if vpc else "the VPC"
    if way.out is None and way.gateway:
        what = f"whether {way.gateway}, the gateway of {where}, has a route out of {network}"
        answered = fleet.unanswered is not None and not fleet.unanswered
        raise NotKnown(f"{what if answered else fleet.missing(what)}: {_OWNERS}")
    fleet.need(way.out, f"the default route of {where}")
    if way.out is WayOut.OTHER:
        services = and_list(way.lack.services) if way.lack else "AWS's services"
        by = way.gateway or "another network's gateway"
        raise NotKnown(f"whether nodes reach {services} through {by}, the gateway of {where}")
    lack = missing_endpoints(subnets[0].id, vpc.id if vpc else None, needed_services(fleet), fleet)
    works = " that is available, in a public subnet" if way.fault else ""
    yield rule.finding(
        cluster,
        subnets[0].declared_at,
        got=f"{where} {_why(way, subnets)}, and {', and '.join(missing_endpoints_text(lack, network))}",
        change=(f"route 0.0.0.0/0 of {where} to a NAT gateway{works}", or_list(endpoints_remedy(lack))),
    )


def _leads_out(known: SubnetFacts) -> bool:
    if known.way_out is WayOut.INTERNET_GATEWAY:
        # several-interfaces-private-subnets judges whether nodes may have the subnet's public address.
        return known.map_public_ip_on_launch is not False
    return known.way_out is WayOut.NAT


_OWNERS = "if another account shares the VPC, AWS answers only that account, so ask its owner"


def _why(way: _Way, subnets: list[Subnet]) -> str:
    if way.fault:
        return f"{singular_or_plural(subnets, 'routes', 'route')} to {way.gateway or 'a gateway'}, {FAULTS[way.fault]}"
    if way.out is WayOut.NONE:
        return singular_or_plural(subnets, "has no internet access", "have no internet access")
    route = singular_or_plural(subnets, "routes", "route")
    return (
        f"{route} to an internet gateway, but {singular_or_plural(subnets, 'gives', 'give')} nodes no public addresses"
    )
