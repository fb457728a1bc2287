"""The existing network: the VPC, its endpoints, subnets with their routes, and security groups."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muster.account import capacity_queries
from muster.account import network_access as reached
from muster.account.caller_identity import GET_CALLER_IDENTITY, account_of
from muster.account.network_access import SecurityGroupRule, peer_group
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, id_filter, index_by_id, read_fact, referenced_ids
from muster.fleet.facts import Facts, GatewayFault, SecurityGroupFacts, SubnetFacts, VpcFacts, WayOut
from muster.fleet.resource_references import ResourceKind

_UNKNOWN_VPC = frozenset({"InvalidVpcID.NotFound"})

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Around:
    """EC2's answers about the VPC of the subnets. A value without an answer is None."""

    region: str
    account: str | None
    """The caller's account, which cannot see everything in a VPC that another account shares."""
    tables: Sequence[Json] | None
    nats: Mapping[str, Json] | None
    """NAT gateway -> its entry."""
    endpoints: Sequence[Json] | None
    rules: Sequence[SecurityGroupRule] | None
    """The rules of the endpoints' security groups."""
    used: Mapping[str, int] | None
    """Subnet -> the number of addresses that the stack's nodes use there."""

    def owns(self, thing: Json) -> bool:
        """Whether a VPC or a subnet is known to belong to the caller's account."""
        return self.account is not None and thing.get("OwnerId") == self.account


_SUBNET_NEEDS = tuple(f"Subnets[].{each}" for each in ("SubnetId", "VpcId", "CidrBlock"))


def _inquire_network(wanted: PreflightRequest) -> Inquiry[Facts]:
    vpcs, subnets = referenced_ids(wanted, ResourceKind.VPC), referenced_ids(wanted, ResourceKind.SUBNET)
    if not vpcs or not subnets:
        return Facts()
    (vpc,) = vpcs
    of_vpc, of_subnets = {"Filters": id_filter("vpc-id", vpcs)}, {"Filters": id_filter("subnet-id", subnets)}
    # Only in this operation, the parameter has no s (EC2 API, DescribeNatGateways).
    of_nats = {"Filter": id_filter("vpc-id", vpcs)}
    vpc_, support, names, endpoints, listed, tables, nats, who, interfaces = yield [
        *_of_vpc(vpc),
        Query("ec2", "DescribeSubnets", "subnets", of_subnets, needs=_SUBNET_NEEDS),
        Query("ec2", "DescribeRouteTables", f"route tables of {vpc}", of_vpc, needs=ROUTE_TABLE_NEEDS),
        Query("ec2", "DescribeNatGateways", f"NAT gateways of {vpc}", of_nats, needs=NAT_GATEWAY_NEEDS),
        GET_CALLER_IDENTITY,
        capacity_queries.query_interfaces(wanted),
    ]
    there = _listed(endpoints, "VpcEndpoints")
    groups = {group for each in there or () for group in reached.endpoint_groups(each)}
    of_rules = reached.query_rules(groups, "rules of the endpoints' security groups")
    rules = _listed((yield of_rules)[0], "SecurityGroupRules") if of_rules else None
    around = _Around(
        region=wanted.region,
        account=account_of(who),
        tables=_listed(tables, "RouteTables"),
        nats=index_by_id(nats, "NatGateways", "NatGatewayId"),
        endpoints=there,
        rules=rules,
        used=capacity_queries.addresses_by_subnet(interfaces),
    )
    known = _vpc_facts(vpc_, support, names, around)
    found = index_by_id(listed, "Subnets", "SubnetId")
    return Facts(
        vpcs={vpc: known} if known else {},
        subnets={} if found is None else {each: _subnet(found.get(each), around) for each in subnets},
    )


def _listed(answer: Answer, key: str) -> Sequence[Json] | None:
    return None if answer.result is None else answer.result[key]


def _of_vpc(vpc: str) -> Iterator[Query]:
    about = f"VPC {vpc}"
    yield Query("ec2", "DescribeVpcs", about, {"Filters": id_filter("vpc-id", (vpc,))}, needs=("Vpcs[].VpcId",))
    for attribute in ("EnableDnsSupport", "EnableDnsHostnames"):
        name = f"{attribute[0].lower()}{attribute[1:]}"
        parameters = {"VpcId": vpc, "Attribute": name}
        needs = (f"{attribute}.Value",)
        yield Query("ec2", "DescribeVpcAttribute", f"{name} of {about}", parameters, _UNKNOWN_VPC, needs=needs)
    there = [*id_filter("vpc-id", (vpc,)), *id_filter("vpc-endpoint-state", ("available",))]
    yield Query(
        "ec2", "DescribeVpcEndpoints", f"endpoints of {about}", {"Filters": there}, needs=reached.ENDPOINT_NEEDS
    )


def _vpc_facts(vpc: Answer, support: Answer, names: Answer, around: _Around) -> VpcFacts | None:
    found = _listed(vpc, "Vpcs")
    if found == [] or support.absent or names.absent:
        return VpcFacts(exists=False)
    if found is None and support.result is None and names.result is None:
        return None
    services = None
    if around.endpoints is not None and found and around.owns(found[0]):
        services = sorted({reached.service_name(each, around.region) for each in around.endpoints} - {""})
    values = {**(support.result or {}), **(names.result or {})}
    return read_fact(VpcFacts, values, _VPC, exists=True if found else None, endpoints=services)


_VPC = {"dnsSupport": "EnableDnsSupport.Value", "dnsHostnames": "EnableDnsHostnames.Value"}

_SUBNET = {
    "zone": "AvailabilityZone",
    "zoneId": "AvailabilityZoneId",
    "vpc": "VpcId",
    "mapPublicIpOnLaunch": "MapPublicIpOnLaunch",
}


def _subnet(one: Json | None, around: _Around) -> SubnetFacts:
    if one is None:
        return SubnetFacts(exists=False)
    free, used = one.get("AvailableIpAddressCount"), around.used
    more: dict[str, Any] = {
        "exists": True,
        "freeAddresses": None if free is None or used is None else free + used.get(one["SubnetId"], 0),
    }
    if around.tables is not None:
        way = egress_by_nat(one, around.tables, around.nats, own=around.owns(one))
        more |= {"wayOut": way.out, "gateway": way.gateway, "gatewayFault": way.fault}
    if around.endpoints is not None and around.owns(one):
        table = route_table_of(one["SubnetId"], one["VpcId"], around.tables or ())
        more |= reached.endpoint_access(one, table, around.endpoints, around.rules, around.region).facts()
    return read_fact(SubnetFacts, one, _SUBNET, **more)


NETWORK = Topic(
    "network",
    "The existing network: the VPC, its endpoints, the subnets, their routes, and the services that they reach.",
    _inquire_network,
    frozenset({"subnets", "vpcs"}),
)


_EVERYTHING = "-1"


def _inquire_groups(wanted: PreflightRequest) -> Inquiry[Facts]:
    named = referenced_ids(wanted, ResourceKind.SECURITY_GROUP)
    if not named:
        return Facts()
    filters = {"Filters": id_filter("group-id", named)}
    groups, answer = yield [
        Query("ec2", "DescribeSecurityGroups", "security groups", filters, needs=("SecurityGroups[].GroupId",)),
        *reached.query_rules(named, "rules of security groups"),
    ]
    found, rules = index_by_id(groups, "SecurityGroups", "GroupId"), _listed(answer, "SecurityGroupRules")
    if found is None and rules is None:
        return Facts()
    return Facts(securityGroups={each: _group(each, found, rules) for each in named})


def _group(id_: str, found: Mapping[str, Json] | None, rules: Sequence[SecurityGroupRule] | None) -> SecurityGroupFacts:
    if found is not None and id_ not in found:
        return SecurityGroupFacts(exists=False)
    both = {}
    if rules is not None:
        both = {"selfIngress": _self(id_, rules, egress=False), "selfEgress": _self(id_, rules, egress=True)}
    one = (found or {}).get(id_)
    return read_fact(SecurityGroupFacts, one, {"vpc": "VpcId"}, exists=True if one else None, **both)


def _self(id_: str, rules: Sequence[SecurityGroupRule], *, egress: bool) -> bool:
    """Whether the rules allow all protocols for the group's own id: EFA is not IP, so a rule for addresses does not
    cover it."""
    wanted = (id_, egress, _EVERYTHING, id_)
    return wanted in [(each["GroupId"], each["IsEgress"], each["IpProtocol"], peer_group(each)) for each in rules]


SECURITY_GROUPS = Topic(
    "security groups",
    "Existing security groups: whether they allow all traffic from and to themselves, which EFA needs.",
    _inquire_groups,
    frozenset({"securityGroups"}),
)


_EVERYWHERE = "0.0.0.0/0"
_HALVES = frozenset({"0.0.0.0/1", "128.0.0.0/1"})
"""All addresses in two parts, as VPNs write them."""

_TARGETS = (
    *("NatGatewayId", "GatewayId", "TransitGatewayId", "VpcPeeringConnectionId", "EgressOnlyInternetGatewayId"),
    *("LocalGatewayId", "CarrierGatewayId", "CoreNetworkArn", "OdbNetworkArn", "NetworkInterfaceId", "InstanceId"),
)
"""The keys of a route's target (EC2 API, Route). A route to an instance also has its interface."""

ROUTE_TABLE_NEEDS = (
    *("RouteTables[].RouteTableId", "RouteTables[].VpcId", "RouteTables[].Associations"),
    "RouteTables[].Routes[].DestinationCidrBlock|DestinationIpv6CidrBlock|DestinationPrefixListId",
    f"RouteTables[].Routes[].{'|'.join(_TARGETS)}",
    "RouteTables[].Routes[].State",
)
"""What an answer must have: a route without a destination may be the default route."""

NAT_GATEWAY_NEEDS = (
    *("NatGateways[].NatGatewayId", "NatGateways[].State", "NatGateways[].ConnectivityType"),
    "NatGateways[].SubnetId|RouteTableId",
)


@dataclass(frozen=True, slots=True)
class Egress:
    """The route of traffic that leaves the VPC."""

    out: WayOut | None
    """None if the answers do not show it."""
    gateway: str | None = None
    """The id of the route's target."""
    fault: GatewayFault | None = None
    """Why the target gives no internet access, although there is a route."""


def egress_by_nat(subnet: Json, tables: Sequence[Json], nats: Mapping[str, Json] | None, *, own: bool) -> Egress:
    """The target of a subnet's default route; unknown without its route table, for example if it is in another VPC.

    If another account shares a subnet, its routes are visible, but the NAT gateways are not (VPC user guide, Share your
    VPC subnets with other accounts): a gateway that is not listed may exist.

    Args:
        subnet: an entry of `DescribeSubnets`.
        tables: the answer of `DescribeRouteTables`.
        nats: NAT gateway -> its entry in `DescribeNatGateways`; None if it is unknown.
        own: whether the subnet is known to belong to the caller's account.
    """
    table = route_table_of(subnet["SubnetId"], subnet["VpcId"], tables)
    if table is None:
        return Egress(None)
    route = _default(table)
    if route is None:
        return Egress(WayOut.NONE)
    gateway = _target(route)
    if route["State"] != "active":
        return Egress(WayOut.NONE, gateway, GatewayFault.GONE)
    if "NatGatewayId" in route:
        nat = None if nats is None else nats.get(gateway, _NO_NAT if own else None)
        return Egress(None, gateway) if nat is None else _by_nat(gateway, nat, subnet["VpcId"], tables)
    return Egress(WayOut.INTERNET_GATEWAY if gateway.startswith("igw-") else WayOut.OTHER, gateway)


def route_table_of(subnet: str, vpc: str, tables: Sequence[Json]) -> Json | None:
    """A subnet's route table: an associated one, or its VPC's main table. None if it is unknown, also if AWS does not
    tell what a table is associated with: that may be the subnet."""
    associated = [(table, each) for table in tables for each in table["Associations"]]
    of_it = [table for table, each in associated if each.get("SubnetId") == subnet]
    if not of_it and not all(each.keys() & {"SubnetId", "GatewayId"} or each.get("Main") for _, each in associated):
        return None
    mains = [table for table, each in associated if each.get("Main") and table["VpcId"] == vpc]
    return next(iter(of_it or mains), None)


def _default(table: Json) -> Json | None:
    """The default route: that of 0.0.0.0/0, else one that may cover all addresses."""
    routes = table["Routes"]
    default = next((each for each in routes if each.get("DestinationCidrBlock") == _EVERYWHERE), None)
    wide = (each for each in routes if each.get("DestinationCidrBlock") in _HALVES or _by_list(each))
    return default or next((each for each in wide if each["State"] == "active"), None)


def _target(route: Json) -> str:
    """The id of its target."""
    return next(str(route[key]) for key in _TARGETS if key in route)


def _by_list(route: Json) -> bool:
    """Whether it is for a prefix list that may cover all addresses; those of gateway endpoints cover one service."""
    return "DestinationPrefixListId" in route and not str(route.get("GatewayId", "")).startswith("vpce-")


_NO_NAT: Json = {"State": "deleted"}
"""AWS lists a NAT gateway for an hour after its deletion: one that its VPC does not list is deleted."""


def _by_nat(id_: str, nat: Json, vpc: str, tables: Sequence[Json]) -> Egress:
    """The egress through a NAT gateway. It gives internet access if it is public and available, and has itself a route
    to an internet gateway (VPC user guide, NAT gateways)."""
    if nat["State"] != "available":
        fault = GatewayFault.GONE if nat["State"] == "deleted" else GatewayFault.NOT_AVAILABLE
        return Egress(WayOut.NONE, id_, fault)
    if nat["ConnectivityType"] != "public":
        return Egress(WayOut.OTHER, id_)
    if "SubnetId" in nat:
        table = route_table_of(nat["SubnetId"], vpc, tables)
    else:  # a regional gateway, which is in no subnet
        table = next((each for each in tables if each["RouteTableId"] == nat["RouteTableId"]), None)
    if table is None:
        return Egress(None, id_)
    route = _default(table)
    if route is None or route["State"] != "active":
        return Egress(WayOut.NONE, id_, GatewayFault.WITHOUT_INTERNET)
    # A firewall may be between the two: its rules are unknown.
    gateway = _target(route)
    return Egress(WayOut.NAT, id_) if gateway.startswith("igw-") else Egress(WayOut.OTHER, gateway)
