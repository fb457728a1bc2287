"""The existing network: the VPC, its endpoints, subnets with their routes, and security groups."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muster.account import network_access as reached
from muster.account import stack_usage
from muster.account.caller_identity import GET_CALLER_IDENTITY, account_of
from muster.account.network_access import SecurityGroupRule
from muster.account.query import Answer, Inquiry, Query
from muster.account.routes import egress_by_nat, route_table_of
from muster.account.topic import (
    PreflightRequest,
    Topic,
    TopicLine,
    TopicResult,
    id_filter,
    index_by_id,
    parse_fact,
    referenced_ids,
)
from muster.fleet.facts import Facts, GatewayFault, SecurityGroupFacts, SubnetFacts, VpcFacts, WayOut
from muster.fleet.resource_references import ResourceKind
from muster.message_text import list_names as in_words

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
    lets: Mapping[str, Sequence[SecurityGroupRule]] | None
    """Security group of an endpoint -> its rules."""
    used: Mapping[str, int] | None
    """Subnet -> the number of addresses that the stack's nodes use there."""

    def owns(self, thing: Json) -> bool:
        """Whether a VPC or a subnet is known to belong to the caller's account."""
        return self.account is not None and thing.get("OwnerId") == self.account


def _inquire_network(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    vpcs, subnets = referenced_ids(wanted, ResourceKind.VPC), referenced_ids(wanted, ResourceKind.SUBNET)
    if not vpcs or not subnets:
        return TopicResult()
    (vpc,) = vpcs
    vpc_, support, names, endpoints, listed_, tables, nats, who, *own = yield [
        *_of_vpc(vpc),
        Query("ec2", "DescribeSubnets", "subnets", {"Filters": id_filter("subnet-id", subnets)}),
        Query("ec2", "DescribeRouteTables", f"route tables of {vpc}", {"Filters": id_filter("vpc-id", vpcs)}),
        # Only in this operation, the parameter has no s (EC2 API, DescribeNatGateways).
        Query("ec2", "DescribeNatGateways", f"NAT gateways of {vpc}", {"Filter": id_filter("vpc-id", vpcs)}),
        GET_CALLER_IDENTITY,
        *stack_usage.instance_queries(wanted),
    ]
    there = None if endpoints.result is None else endpoints.result.get("VpcEndpoints")
    of_nodes, of_rules = stack_usage.query_hyperpod_interfaces(own), reached.query_endpoint_rules(there or ())
    further = (yield [*of_nodes, *of_rules]) if of_nodes or of_rules else ()
    around = _Around(
        region=wanted.region,
        account=account_of(who),
        tables=None if tables.result is None else tables.result.get("RouteTables"),
        nats=index_by_id(nats, "NatGateways", "NatGatewayId"),
        endpoints=there,
        lets=reached.rules_by_group(further[len(of_nodes) :]),
        used=stack_usage.addresses_by_subnet([*own, *further[: len(of_nodes)]]),
    )
    of_vpc = _vpc_facts(vpc_, support, names, around)
    of_subnets = dict(_subnets(subnets, listed_, around))
    lines = (
        *((TopicLine(f"VPC {vpc}", _vpc_text(of_vpc)),) if of_vpc else ()),
        *(TopicLine(f"subnet {each}", _subnet_text(known)) for each, known in of_subnets.items()),
    )
    return TopicResult(Facts(vpcs={vpc: of_vpc} if of_vpc else {}, subnets=of_subnets), lines)


def _of_vpc(vpc: str) -> Iterator[Query]:
    about = f"VPC {vpc}"
    yield Query("ec2", "DescribeVpcs", about, {"Filters": id_filter("vpc-id", (vpc,))})
    for attribute in ("enableDnsSupport", "enableDnsHostnames"):
        parameters = {"VpcId": vpc, "Attribute": attribute}
        yield Query("ec2", "DescribeVpcAttribute", f"{attribute} of {about}", parameters, absent=_UNKNOWN_VPC)
    there = [*id_filter("vpc-id", (vpc,)), *id_filter("vpc-endpoint-state", ("available",))]
    yield Query("ec2", "DescribeVpcEndpoints", f"endpoints of {about}", {"Filters": there})


def _vpc_facts(vpc: Answer, support: Answer, names: Answer, around: _Around) -> VpcFacts | None:
    answered = [each.result for each in (vpc, support, names) if each.result is not None]
    if not answered and around.endpoints is None and not support.absent:
        return None
    found = index_by_id(vpc, "Vpcs", "VpcId")
    there = None if found is None else bool(found)
    if there is False or support.absent or names.absent:
        return VpcFacts(exists=False)
    whole = around.endpoints is not None and bool(found) and all(map(around.owns, (found or {}).values()))
    services = {reached.service_name(each, around.region) for each in around.endpoints or ()} if whole else None
    return parse_fact(
        VpcFacts,
        {
            "exists": there,
            "dnsSupport": (support.result or {}).get("EnableDnsSupport", {}).get("Value"),
            "dnsHostnames": (names.result or {}).get("EnableDnsHostnames", {}).get("Value"),
            "endpoints": None if services is None else sorted(services - {""}),
        },
    )


def _subnets(named: Sequence[str], listed_: Answer, around: _Around) -> Iterator[tuple[str, SubnetFacts]]:
    found = index_by_id(listed_, "Subnets", "SubnetId")
    if found is None:
        return
    for id_ in named:
        yield id_, _subnet(found[id_], around) if id_ in found else SubnetFacts(exists=False)


def _subnet(one: Json, around: _Around) -> SubnetFacts:
    free, used = one.get("AvailableIpAddressCount"), around.used
    known: dict[str, Any] = {
        "exists": True,
        "zone": one.get("AvailabilityZone"),
        "zoneId": one.get("AvailabilityZoneId"),
        "vpc": one.get("VpcId"),
        "mapPublicIpOnLaunch": one.get("MapPublicIpOnLaunch"),
        "freeAddresses": None if free is None or used is None else free + used.get(str(one.get("SubnetId")), 0),
    }
    if around.tables is not None:
        way = egress_by_nat(one, around.tables, around.nats, own=around.owns(one))
        known |= {"wayOut": way.out, "gateway": way.gateway, "gatewayFault": way.fault}
    if around.endpoints is not None and around.owns(one):
        table = route_table_of(one, around.tables or ())
        reach = reached.endpoint_access(one, table, around.endpoints, around.lets, around.region)
        known |= {
            "endpoints": sorted(reach.served),
            "endpointsOpenTo": reach.open_to,
            "endpointsInDoubt": reach.in_doubt,
        }
    return parse_fact(SubnetFacts, known)


def _vpc_text(known: VpcFacts) -> str:
    if known.exists is False:
        return "does not exist in this account and Region"
    words = (
        None if known.dns_support is None else f"DNS support {'on' if known.dns_support else 'off'}",
        None if known.dns_hostnames is None else f"DNS host names {'on' if known.dns_hostnames else 'off'}",
        None if known.endpoints is None else f"endpoints: {in_words(known.endpoints) if known.endpoints else 'none'}",
    )
    return ", ".join(each for each in words if each) or "there"


_EGRESS_TEXTS = {
    WayOut.NAT: "internet access through NAT",
    WayOut.INTERNET_GATEWAY: "internet access through an internet gateway",
    WayOut.OTHER: "default route to {}, whose destination is unknown",
    WayOut.NONE: "no internet access",
}
SUBNET_PROBLEMS = {
    GatewayFault.GONE: "{} is deleted",
    GatewayFault.NOT_AVAILABLE: "{} is not available",
    GatewayFault.WITHOUT_INTERNET: "{} has no route to an internet gateway",
}


def _subnet_text(known: SubnetFacts) -> str:
    if known.exists is False:
        return "does not exist in this account and Region"
    free = known.free_addresses
    words = (
        f"{known.zone} ({known.zone_id})",
        None if free is None else f"{free} addresses free or in use by the stack's nodes",
        _egress_text(known) if known.way_out or known.gateway else None,
        f"endpoints: {in_words(known.endpoints)}" if known.endpoints else None,
        "assigns public addresses" if known.map_public_ip_on_launch else None,
    )
    return ", ".join(each for each in words if each)


def _egress_text(known: SubnetFacts) -> str:
    if known.way_out is None:
        return f"default route to {known.gateway}, which AWS did not describe"
    words = _EGRESS_TEXTS[known.way_out].format(known.gateway or "another network")
    return f"{words}: {SUBNET_PROBLEMS[known.gateway_fault].format(known.gateway)}" if known.gateway_fault else words


NETWORK = Topic(
    "network",
    "The existing network: the VPC, its endpoints, the subnets, their routes, and the services that they reach.",
    _inquire_network,
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


_EVERYTHING = "-1"


def _inquire_groups(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    named = referenced_ids(wanted, ResourceKind.SECURITY_GROUP)
    if not named:
        return TopicResult()
    filters = {"Filters": id_filter("group-id", named)}
    groups, rules = yield [
        Query("ec2", "DescribeSecurityGroups", "security groups", filters),
        Query("ec2", "DescribeSecurityGroupRules", "rules of security groups", filters),
    ]
    found = index_by_id(groups, "SecurityGroups", "GroupId")
    of_all = None if rules.result is None else rules.result.get("SecurityGroupRules")
    known: dict[str, SecurityGroupFacts] = {}
    for id_ in named:
        if found is not None and id_ not in found:
            known[id_] = SecurityGroupFacts(exists=False)
        elif found is not None or of_all is not None:
            known[id_] = _group_facts(id_, (found or {}).get(id_), of_all)
    return TopicResult(
        Facts.model_validate({"securityGroups": known}),
        tuple(TopicLine(f"security group {id_}", _group_text(facts)) for id_, facts in known.items()),
    )


def _group_facts(
    id_: str, group: Mapping[str, Any] | None, rules: Sequence[Mapping[str, Any]] | None
) -> SecurityGroupFacts:
    return parse_fact(
        SecurityGroupFacts,
        {
            "exists": group is not None or None,
            "vpc": group.get("VpcId") if group else None,
            "selfIngress": None if rules is None else _allows_itself(id_, rules, egress=False),
            "selfEgress": None if rules is None else _allows_itself(id_, rules, egress=True),
        },
    )


def _allows_itself(id_: str, rules: Sequence[Mapping[str, Any]], *, egress: bool) -> bool | None:
    """Whether the rules allow all protocols for the group's own id: EFA is not IP, so a rule for addresses does not
    cover it. None if an incomplete rule in the answer may do so."""
    wanted = (id_, egress, _EVERYTHING, id_)
    whole = [tuple(_parts(rule)) for rule in rules]
    if wanted in whole:
        return True
    may_be = (all(part in {None, each} for part, each in zip(parts, wanted, strict=True)) for parts in whole)
    return None if any(may_be) else False


def _parts(rule: Mapping[str, Any]) -> Iterator[object]:
    """A rule's group, direction, protocol and peer; None for missing values."""
    yield from (rule.get(key) for key in ("GroupId", "IsEgress", "IpProtocol"))
    by_address = any(rule.get(key) for key in ("CidrIpv4", "CidrIpv6", "PrefixListId"))
    yield "addresses" if by_address else rule.get("ReferencedGroupInfo", {}).get("GroupId")


def _group_text(known: SecurityGroupFacts) -> str:
    if known.exists is False:
        return "does not exist in this account and Region"
    if known.self_ingress is None and known.self_egress is None:
        return f"of {known.vpc}"
    yes = {True: "allows", False: "does not allow", None: "may allow"}
    both = f"{yes[known.self_ingress]} ingress from itself, {yes[known.self_egress]} egress to itself"
    return f"{both} (all protocols)"


SECURITY_GROUPS = Topic(
    "security groups",
    "Existing security groups: whether they allow all traffic from and to themselves, which EFA needs.",
    _inquire_groups,
    frozenset({"securityGroups"}),
    rights={"ec2:DescribeSecurityGroupRules": "*", "ec2:DescribeSecurityGroups": "*"},
)
