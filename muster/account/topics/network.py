"""The network that exists: the VPC, its endpoints, the subnets, where their routes lead, and what they reach."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muster.account import endpoints as reached
from muster.account import own_nodes
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.identity import WHO, account_of
from muster.account.inbound import SecurityGroupRule
from muster.account.named import by_id, ids, listed
from muster.account.question import Question
from muster.account.told import told
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.account.ways_out import table_of, way_of
from muster.fleet.facts import Facts, GatewayFault, SubnetFacts, VpcFacts, WayOut
from muster.fleet.named import Kind
from muster.words import listed as in_words

_UNKNOWN_VPC = frozenset({"InvalidVpcID.NotFound"})

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Around:
    """What EC2 says of the VPC that subnets are in. What it did not answer is None."""

    region: str
    account: str | None
    """Whose credentials ask: of a VPC that another account shares they do not see everything."""
    tables: Sequence[Json] | None
    nats: Mapping[str, Json] | None
    """NAT gateway -> what is said of it."""
    endpoints: Sequence[Json] | None
    lets: Mapping[str, Sequence[SecurityGroupRule]] | None
    """Security group of an endpoint -> its rules."""
    held: Mapping[str, int] | None
    """Subnet -> addresses that the stack's own nodes hold there."""

    def owns(self, thing: Json) -> bool:
        """Whether a VPC or a subnet is known to be of the account that asks."""
        return self.account is not None and thing.get("OwnerId") == self.account


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    vpcs, subnets = ids(wanted, Kind.VPC), ids(wanted, Kind.SUBNET)
    if not vpcs or not subnets:
        return Learned()
    (vpc,) = vpcs
    vpc_, support, names, endpoints, listed_, tables, nats, who, *own = yield [
        *_of_vpc(vpc),
        Question("ec2", "DescribeSubnets", "subnets", {"Filters": by_id("subnet-id", subnets)}),
        Question("ec2", "DescribeRouteTables", f"route tables of {vpc}", {"Filters": by_id("vpc-id", vpcs)}),
        # Of this operation alone the parameter has no s (EC2 API, DescribeNatGateways).
        Question("ec2", "DescribeNatGateways", f"NAT gateways of {vpc}", {"Filter": by_id("vpc-id", vpcs)}),
        WHO,
        *own_nodes.questions(wanted),
    ]
    there = None if endpoints.result is None else endpoints.result.get("VpcEndpoints")
    of_nodes, of_rules = own_nodes.more(own), reached.rules_of(there or ())
    further = (yield [*of_nodes, *of_rules]) if of_nodes or of_rules else ()
    around = _Around(
        region=wanted.region,
        account=account_of(who),
        tables=None if tables.result is None else tables.result.get("RouteTables"),
        nats=listed(nats, "NatGateways", "NatGatewayId"),
        endpoints=there,
        lets=reached.rules(further[len(of_nodes) :]),
        held=own_nodes.addresses([*own, *further[: len(of_nodes)]]),
    )
    of_vpc = _vpc_facts(vpc_, support, names, around)
    of_subnets = dict(_subnets(subnets, listed_, around))
    said = (
        *((Said(f"VPC {vpc}", _vpc_words(of_vpc)),) if of_vpc else ()),
        *(Said(f"subnet {each}", _subnet_words(known)) for each, known in of_subnets.items()),
    )
    return Learned(Facts(vpcs={vpc: of_vpc} if of_vpc else {}, subnets=of_subnets), said)


def _of_vpc(vpc: str) -> Iterator[Question]:
    about = f"VPC {vpc}"
    yield Question("ec2", "DescribeVpcs", about, {"Filters": by_id("vpc-id", (vpc,))})
    for attribute in ("enableDnsSupport", "enableDnsHostnames"):
        parameters = {"VpcId": vpc, "Attribute": attribute}
        yield Question("ec2", "DescribeVpcAttribute", f"{attribute} of {about}", parameters, absent=_UNKNOWN_VPC)
    there = [*by_id("vpc-id", (vpc,)), *by_id("vpc-endpoint-state", ("available",))]
    yield Question("ec2", "DescribeVpcEndpoints", f"endpoints of {about}", {"Filters": there})


def _vpc_facts(vpc: Answer, support: Answer, names: Answer, around: _Around) -> VpcFacts | None:
    answered = [each.result for each in (vpc, support, names) if each.result is not None]
    if not answered and around.endpoints is None and not support.absent:
        return None
    found = listed(vpc, "Vpcs", "VpcId")
    there = None if found is None else bool(found)
    if there is False or support.absent or names.absent:
        return VpcFacts(exists=False)
    whole = around.endpoints is not None and bool(found) and all(map(around.owns, (found or {}).values()))
    services = {reached.service(each, around.region) for each in around.endpoints or ()} if whole else None
    return told(
        VpcFacts,
        {
            "exists": there,
            "dnsSupport": (support.result or {}).get("EnableDnsSupport", {}).get("Value"),
            "dnsHostnames": (names.result or {}).get("EnableDnsHostnames", {}).get("Value"),
            "endpoints": None if services is None else sorted(services - {""}),
        },
    )


def _subnets(named: Sequence[str], listed_: Answer, around: _Around) -> Iterator[tuple[str, SubnetFacts]]:
    found = listed(listed_, "Subnets", "SubnetId")
    if found is None:
        return
    for id_ in named:
        yield id_, _subnet(found[id_], around) if id_ in found else SubnetFacts(exists=False)


def _subnet(one: Json, around: _Around) -> SubnetFacts:
    free, held = one.get("AvailableIpAddressCount"), around.held
    known: dict[str, Any] = {
        "exists": True,
        "zone": one.get("AvailabilityZone"),
        "zoneId": one.get("AvailabilityZoneId"),
        "vpc": one.get("VpcId"),
        "mapPublicIpOnLaunch": one.get("MapPublicIpOnLaunch"),
        "freeAddresses": None if free is None or held is None else free + held.get(str(one.get("SubnetId")), 0),
    }
    if around.tables is not None:
        way = way_of(one, around.tables, around.nats, own=around.owns(one))
        known |= {"wayOut": way.out, "gateway": way.gateway, "gatewayFault": way.fault}
    if around.endpoints is not None and around.owns(one):
        table = table_of(one, around.tables or ())
        reach = reached.reach(one, table, around.endpoints, around.lets, around.region)
        known |= {
            "endpoints": sorted(reach.served),
            "endpointsOpenTo": reach.open_to,
            "endpointsInDoubt": reach.in_doubt,
        }
    return told(SubnetFacts, known)


def _vpc_words(known: VpcFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this id in this account and Region"
    words = (
        None if known.dns_support is None else f"DNS support {'on' if known.dns_support else 'off'}",
        None if known.dns_hostnames is None else f"DNS host names {'on' if known.dns_hostnames else 'off'}",
        None if known.endpoints is None else f"endpoints: {in_words(known.endpoints) if known.endpoints else 'none'}",
    )
    return ", ".join(each for each in words if each) or "there"


_WORDS = {
    WayOut.NAT: "way out by NAT",
    WayOut.INTERNET_GATEWAY: "way out by an internet gateway",
    WayOut.OTHER: "leads to {}, and what is behind that only your network knows",
    WayOut.NONE: "no way out",
}
FAULTS = {
    GatewayFault.GONE: "{} is gone",
    GatewayFault.NOT_AVAILABLE: "{} is not available",
    GatewayFault.WITHOUT_INTERNET: "{} has no route to an internet gateway",
}


def _subnet_words(known: SubnetFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this id in this account and Region"
    free = known.free_addresses
    words = (
        f"{known.zone} ({known.zone_id})",
        None if free is None else f"{free} addresses free or the stack's own nodes'",
        _way_words(known) if known.way_out or known.gateway else None,
        f"endpoints: {in_words(known.endpoints)}" if known.endpoints else None,
        "gives public addresses" if known.map_public_ip_on_launch else None,
    )
    return ", ".join(each for each in words if each)


def _way_words(known: SubnetFacts) -> str:
    if known.way_out is None:
        return f"leads to {known.gateway}, of which AWS says nothing"
    words = _WORDS[known.way_out].format(known.gateway or "another network")
    return f"{words}: {FAULTS[known.gateway_fault].format(known.gateway)}" if known.gateway_fault else words


NETWORK = Topic(
    "network",
    _inquire,
    frozenset({"subnets", "vpcs"}),
    rights={
        "ec2:DescribeInstances": "*",
        "ec2:DescribeNatGateways": "*",
        "ec2:DescribeNetworkInterfaces": "*",
        "ec2:DescribeRouteTables": "*",
        "ec2:DescribeSecurityGroupRules": "*",
        "ec2:DescribeSecurityGroups": "*",
        "ec2:DescribeSubnets": "*",
        "ec2:DescribeVpcAttribute": "*",
        "ec2:DescribeVpcEndpoints": "*",
        "ec2:DescribeVpcs": "*",
    },
    leads={
        "ec2.DescribeSecurityGroups": ("ec2.DescribeNetworkInterfaces",),
        "ec2.DescribeVpcEndpoints": ("ec2.DescribeSecurityGroupRules",),
    },
)
