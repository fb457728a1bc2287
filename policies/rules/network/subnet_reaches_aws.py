"""Whether nodes reach AWS's services from the subnets that they are in."""

from collections.abc import Iterator

from muster.fleet.facts import SubnetFacts, VpcFacts, WayOut
from muster.fleet.named import Kind
from muster.fleet.resources import ControlPlane, Fleet, HeadNode, ParallelCluster, Subnet
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.way_out import NEEDED
from policies.rule import Rule, Verdict, rule
from policies.words import agree, some


@rule(
    "subnet-reaches-aws",
    title="Nodes' subnets have a way to AWS's services: NAT, public addresses, or endpoints",
    # One of each description: so that a subnet is spoken of once, whoever uses it.
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="A node asks EC2 for its addresses, ECR for images and S3 for scripts before it joins. Without a way there it "
    "runs, bills, and never joins. Control planes need none: EKS's own interfaces only answer.",
    source="EKS user guide, private-clusters; ParallelCluster guide, no internet access; EC2 API, DescribeRouteTables",
    remedy="Route the subnet to a NAT gateway, or make endpoints for the services in the VPC.",
    facts=("rules.md#9", "rules.md#60", "pains.md#16"),
)
def subnet_reaches_aws(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    vpc = next((each for each in fleet.named if each.kind is Kind.VPC), None)
    there = fleet.facts.vpcs.get(vpc.id, VpcFacts()).endpoints if vpc else None
    needed = {service for backend in fleet.backends for service in NEEDED[backend]}
    shut: dict[WayOut, list[Subnet]] = {}
    for subnet in _of_nodes(fleet):
        known = fleet.facts.subnets.get(subnet.id, SubnetFacts())
        if known.way_out is None:
            if was_asked(fleet) and not fleet.gone(Kind.SUBNET, subnet.id) and not _blank(subnet, fleet):
                yield rule.unjudged(cluster.place, fleet.missing(f"where {subnet.id} has its way out"))
        elif not _leads_out(known):
            shut.setdefault(known.way_out, []).append(subnet)
    # Often they have one route table: said once, at the first of them.
    for way_out, subnets in shut.items():
        where = some(each.id for each in subnets)
        if there is None:
            what = f"the endpoints of {vpc.id}" if vpc else "the endpoints of the VPC"
            have = agree(subnets, "has", "have")
            yield rule.unjudged(cluster.place, fleet.missing(f"{what}: {where} {have} no other way out"))
        elif missing := needed - set(there):
            lacking, why = some(missing), f"{where} {_why(way_out, subnets)}"
            yield rule.finding(
                cluster.place,
                at=subnets[0].declared_at,
                got=f"{why}, and {vpc.id if vpc else 'the VPC'} has no endpoint of {lacking}",
                remedy=f"route 0.0.0.0/0 of {where} to a NAT gateway, or make endpoints of {lacking} in the VPC",
            )


def _of_nodes(fleet: Fleet) -> Iterator[Subnet]:
    """The subnets that exist and that nodes are in. A head node in a public one has an address of its own."""
    used = {str(each) for group in fleet.groups if group.subnets is not UNKNOWN for each in group.subnets}
    heads = {str(head.subnet) for head in fleet.of(HeadNode) if isinstance(head.subnet, str)}
    for subnet in fleet.subnets.values():
        if not subnet.created and (subnet.id in used or (subnet.id in heads and not subnet.public)):
            yield subnet


def _leads_out(known: SubnetFacts) -> bool:
    """What another network's gateway leads to only that network knows: it is told, and not judged."""
    if known.way_out is WayOut.INTERNET_GATEWAY:
        # Whether nodes may have the address that the subnet gives, several-interfaces-private-subnets says.
        return known.map_public_ip_on_launch is not False
    return known.way_out is not WayOut.NONE


def _why(way_out: WayOut, subnets: list[Subnet]) -> str:
    if way_out is WayOut.NONE:
        return agree(subnets, "has no way out", "have no way out")
    return agree(subnets, "leads", "lead") + " to an internet gateway without public addresses for nodes"


def _blank(subnet: Subnet, fleet: Fleet) -> bool:
    return any(each.id == subnet.id and each.blank for each in fleet.named)
