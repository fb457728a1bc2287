"""The sources that security groups allow, and the AWS services that a subnet reaches through endpoints. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network, collapse_addresses
from typing import Any

from muster.account.query import Answer, Query
from muster.account.topic import MAX_FILTER_VALUES, id_filter
from muster.fleet.facts import EndpointDoubt

_EVERY_PROTOCOL = "-1"
_TCP = frozenset({"tcp", "6"})

SecurityGroupRule = Mapping[str, Any]
"""A `SecurityGroupRule` of `DescribeSecurityGroupRules`."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """The sources that may access all of some ports."""

    groups: frozenset[str]
    """Security groups, by id."""
    networks: tuple[IPv4Network, ...]
    """Merged: two adjacent halves are one network."""
    some_more: tuple[str, ...]
    """Prefix lists that may be allowed on some of the ports: their entries are not queried."""

    def has(self, network: IPv4Network) -> bool:
        """Whether all addresses of a network are allowed."""
        return any(network.subnet_of(each) for each in self.networks)

    def touches(self, networks: Iterable[IPv4Network]) -> bool:
        """Whether some addresses of networks are allowed."""
        return any(each.overlaps(one) for each in self.networks for one in networks)


def allowed_inbound(rules: Sequence[SecurityGroupRule], ports: Collection[int]) -> Inbound:
    """The sources that the rules of an interface's security groups allow on every one of some TCP ports."""
    coming = [each for each in rules if each.get("IsEgress") is False]
    of_port = [[each for each in coming if _covers(each, port)] for port in ports]
    groups = [{_group(each) for each in some if _group(each)} for some in of_port]
    # Host bits are accepted: 10.0.1.7/16 is 10.0.0.0/16.
    networks = [
        [IPv4Network(each["CidrIpv4"], strict=False) for each in some if each.get("CidrIpv4")] for some in of_port
    ]
    return Inbound(
        frozenset.intersection(*map(frozenset, groups)) if groups else frozenset(),
        _in_all(networks),
        tuple(sorted({each["PrefixListId"] for some in of_port for each in some if each.get("PrefixListId")})),
    )


def _covers(rule: SecurityGroupRule, port: int) -> bool:
    protocol = str(rule.get("IpProtocol", ""))
    if protocol == _EVERY_PROTOCOL:
        return True
    return protocol in _TCP and int(rule.get("FromPort", -1)) <= port <= int(rule.get("ToPort", -1))


def _group(rule: SecurityGroupRule) -> str:
    return str(rule.get("ReferencedGroupInfo", {}).get("GroupId", ""))


def _in_all(of_each: Sequence[Sequence[IPv4Network]]) -> tuple[IPv4Network, ...]:
    """The IPv4 networks that all of these lists contain."""
    if not of_each:
        return ()
    common, *others = [list(collapse_addresses(each)) for each in of_each]
    for other in others:
        # If two networks overlap, one contains the other.
        common = [
            ours if ours.subnet_of(theirs) else theirs for ours in common for theirs in other if ours.overlaps(theirs)
        ]
    return tuple(collapse_addresses(common))


HTTPS = 443

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EndpointAccess:
    """The services that a subnet reaches through endpoints."""

    served: frozenset[str] = frozenset()
    """Services, such as ecr.api, that all of its addresses reach."""
    open_to: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Service -> the allowed security groups, if the addresses alone are not allowed."""
    in_doubt: Mapping[str, EndpointDoubt] = field(default_factory=dict)
    """Service -> why the answers do not show whether it is reachable."""


def service_name(endpoint: Json, region: str) -> str:
    """``com.amazonaws.us-west-2.ecr.api`` -> ``ecr.api``; other providers' services keep the whole name. Endpoints of
    resources and of service networks have no service."""
    name = str(endpoint.get("ServiceName", ""))
    return name.partition(f"com.amazonaws.{region}.")[2] or name


def query_endpoint_rules(endpoints: Iterable[Json]) -> list[Query]:
    """The query for the rules of endpoints' security groups; none if there are no such groups."""
    groups = sorted({id_ for each in endpoints for id_ in _groups(each) or ()})
    about = "rules of the endpoints' security groups"
    parameters = {"Filters": id_filter("group-id", tuple(groups[:MAX_FILTER_VALUES]))}
    return [Query("ec2", "DescribeSecurityGroupRules", about, parameters)] if groups else []


def rules_by_group(answers: Sequence[Answer]) -> Mapping[str, Sequence[SecurityGroupRule]] | None:
    """Security group -> its rules, for the groups in the queries' filters; None unless all answers are there."""
    found: dict[str, list[SecurityGroupRule]] = {}
    for answer in answers:
        if answer.result is None:
            return None
        (by_group,) = answer.question.parameters["Filters"]
        found |= {id_: [] for id_ in by_group["Values"]}
        for each in answer.result.get("SecurityGroupRules", ()):
            found.setdefault(str(each.get("GroupId")), []).append(each)
    return found


def endpoint_access(
    subnet: Json,
    table: Json | None,
    endpoints: Sequence[Json],
    lets: Mapping[str, Sequence[SecurityGroupRule]] | None,
    region: str,
) -> EndpointAccess:
    """The services that a subnet reaches through a VPC's endpoints.

    Args:
        subnet: an entry of `DescribeSubnets`.
        table: its route table; None if it is unknown.
        endpoints: the available endpoints of `DescribeVpcEndpoints`.
        lets: the result of `rules_by_group`.
        region: the stack's Region.
    """
    served: set[str] = set()
    open_to: dict[str, set[str]] = {}
    in_doubt: dict[str, EndpointDoubt] = {}
    for each in endpoints:
        name = service_name(each, region)
        one = _serves(each, subnet, table, lets)
        if one is True:
            served.add(name)
        elif isinstance(one, EndpointDoubt):
            in_doubt.setdefault(name, one)
        elif one:
            open_to.setdefault(name, set()).update(one)
    return EndpointAccess(
        frozenset(served),
        {name: tuple(sorted(open_to[name])) for name in sorted(open_to.keys() - served)},
        {name: in_doubt[name] for name in sorted(in_doubt.keys() - served)},
    )


def _serves(
    endpoint: Json, subnet: Json, table: Json | None, lets: Mapping[str, Sequence[SecurityGroupRule]] | None
) -> bool | EndpointDoubt | frozenset[str]:
    """Whether it serves the subnet, or the security groups that it serves."""
    kind = endpoint.get("VpcEndpointType")
    if kind == "Gateway":
        tables = endpoint.get("RouteTableIds")
        if tables is None or table is None or "RouteTableId" not in table:
            return EndpointDoubt.KIND_UNKNOWN
        return table["RouteTableId"] in tables
    if kind != "Interface":
        return EndpointDoubt.KIND_UNKNOWN if kind is None else False
    if not endpoint.get("PrivateDnsEnabled"):
        return EndpointDoubt.PRIVATE_DNS_OFF
    if endpoint.get("DnsOptions", {}).get("PrivateDnsOnlyForInboundResolverEndpoint"):
        return False  # only other networks resolve the name to it, for example S3 with a gateway endpoint in the VPC
    return _lets_in(_groups(endpoint), subnet, lets)


def _lets_in(
    groups: Sequence[str] | None, subnet: Json, lets: Mapping[str, Sequence[SecurityGroupRule]] | None
) -> bool | EndpointDoubt | frozenset[str]:
    block = subnet.get("CidrBlock")
    if not groups or lets is None or not block or not lets.keys() >= set(groups):
        return EndpointDoubt.CALLERS_UNKNOWN
    found = allowed_inbound([rule for group in groups for rule in lets[group]], (HTTPS,))
    network = IPv4Network(block)
    if found.has(network):
        return True
    if found.some_more or found.touches([network]):
        return EndpointDoubt.CALLERS_UNKNOWN
    return found.groups or False


def _groups(endpoint: Json) -> list[str] | None:
    """The security groups of an interface endpoint; None if the answer does not have all of them."""
    if endpoint.get("VpcEndpointType") != "Interface" or not endpoint.get("PrivateDnsEnabled"):
        return None
    groups = [each.get("GroupId") for each in endpoint.get("Groups", ())]
    return None if None in groups else groups
