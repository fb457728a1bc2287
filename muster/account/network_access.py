"""The sources that security groups allow, and the AWS services that a subnet reaches through endpoints. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network, collapse_addresses
from typing import Any

from muster.account.query import Query
from muster.account.topic import MAX_FILTER_VALUES, id_filter
from muster.fleet.facts import EndpointDoubt

_EVERY_PROTOCOL = "-1"
_TCP = frozenset({"tcp", "6"})

Json = Mapping[str, Any]

SecurityGroupRule = Json
"""A `SecurityGroupRule` of `DescribeSecurityGroupRules`."""


def query_rules(groups: Iterable[str], about: str) -> list[Query]:
    """The query for the rules of security groups; none without groups, and for more than one query can name."""
    of = ("GroupId", "IsEgress", "IpProtocol", "FromPort", "ToPort", "ReferencedGroupInfo?.GroupId")
    peer = "CidrIpv4|CidrIpv6|PrefixListId|ReferencedGroupInfo"
    needs = tuple(f"SecurityGroupRules[].{each}" for each in (*of, peer))
    named = tuple(sorted({*groups}))
    filters = {"Filters": id_filter("group-id", named)}
    query = Query("ec2", "DescribeSecurityGroupRules", about, filters, needs=needs)
    return [query] if 0 < len(named) <= MAX_FILTER_VALUES else []


def peer_group(rule: SecurityGroupRule) -> str | None:
    """The security group that a rule allows; None if it allows addresses."""
    group: str | None = rule.get("ReferencedGroupInfo", {}).get("GroupId")
    return group


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


def allowed_inbound(rules: Iterable[SecurityGroupRule], ports: Collection[int]) -> Inbound:
    """The sources that the rules of an interface's security groups allow on every one of some TCP ports."""
    coming = [each for each in rules if not each["IsEgress"]]
    of_port = [[each for each in coming if _covers(each, port)] for port in ports]
    groups = [frozenset(group for each in some if (group := peer_group(each))) for some in of_port]
    # Host bits are accepted: 10.0.1.7/16 is 10.0.0.0/16.
    networks = [
        [IPv4Network(each["CidrIpv4"], strict=False) for each in some if "CidrIpv4" in each] for some in of_port
    ]
    return Inbound(
        frozenset.intersection(*groups) if groups else frozenset(),
        _in_all(networks),
        tuple(sorted({each["PrefixListId"] for some in of_port for each in some if "PrefixListId" in each})),
    )


def _covers(rule: SecurityGroupRule, port: int) -> bool:
    if rule["IpProtocol"] == _EVERY_PROTOCOL:
        return True
    return rule["IpProtocol"] in _TCP and rule["FromPort"] <= port <= rule["ToPort"]


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

ENDPOINT_NEEDS = ("VpcEndpoints[].VpcEndpointType", "VpcEndpoints[].Groups?[].GroupId")


@dataclass(frozen=True, slots=True)
class EndpointAccess:
    """The services that a subnet reaches through endpoints."""

    served: set[str] = field(default_factory=set)
    """Services, such as ecr.api, that all of its addresses reach."""
    open_to: dict[str, set[str]] = field(default_factory=dict)
    """Service -> the allowed security groups, if the addresses alone are not allowed."""
    in_doubt: dict[str, EndpointDoubt] = field(default_factory=dict)
    """Service -> why the answers do not show whether it is reachable."""

    def facts(self) -> dict[str, Any]:
        """The facts about a subnet, by their keys."""
        return {
            "endpoints": sorted(self.served),
            "endpointsOpenTo": {name: sorted(self.open_to[name]) for name in sorted(self.open_to.keys() - self.served)},
            "endpointsInDoubt": {name: self.in_doubt[name] for name in sorted(self.in_doubt.keys() - self.served)},
        }


def service_name(endpoint: Json, region: str) -> str:
    """``com.amazonaws.us-west-2.ecr.api`` -> ``ecr.api``; other providers' services keep the whole name. Endpoints of
    resources and of service networks have no service."""
    name = str(endpoint.get("ServiceName", ""))
    return name.partition(f"com.amazonaws.{region}.")[2] or name


def endpoint_groups(endpoint: Json) -> list[str]:
    """The security groups of an interface endpoint with private DNS."""
    used = endpoint["VpcEndpointType"] == "Interface" and endpoint.get("PrivateDnsEnabled")
    return [each["GroupId"] for each in endpoint.get("Groups", ())] if used else []


def endpoint_access(
    subnet: Json,
    table: Json | None,
    endpoints: Sequence[Json],
    rules: Sequence[SecurityGroupRule] | None,
    region: str,
) -> EndpointAccess:
    """The services that a subnet reaches through a VPC's endpoints.

    Args:
        subnet: an entry of `DescribeSubnets`.
        table: its route table; None if it is unknown.
        endpoints: the available endpoints of `DescribeVpcEndpoints`.
        rules: those of all the endpoints' security groups; None if they are unknown.
        region: the stack's Region.
    """
    found = EndpointAccess()
    for each in endpoints:
        name = service_name(each, region)
        one = _serves(each, subnet, table, rules)
        if one is True:
            found.served.add(name)
        elif isinstance(one, EndpointDoubt):
            found.in_doubt.setdefault(name, one)
        elif one:
            found.open_to.setdefault(name, set()).update(one)
    return found


def _serves(
    endpoint: Json, subnet: Json, table: Json | None, rules: Sequence[SecurityGroupRule] | None
) -> bool | EndpointDoubt | frozenset[str]:
    """Whether it serves the subnet, or the security groups that it serves."""
    if endpoint["VpcEndpointType"] == "Gateway":
        tables = endpoint.get("RouteTableIds")
        if tables is None or table is None:
            return EndpointDoubt.KIND_UNKNOWN
        return table["RouteTableId"] in tables
    # Only other networks resolve the name to some, for example of S3 with a gateway endpoint in the VPC.
    elsewhere = endpoint.get("DnsOptions", {}).get("PrivateDnsOnlyForInboundResolverEndpoint")
    if endpoint["VpcEndpointType"] != "Interface" or elsewhere:
        return False
    if not endpoint.get("PrivateDnsEnabled"):
        return EndpointDoubt.PRIVATE_DNS_OFF
    return _allows(endpoint_groups(endpoint), IPv4Network(subnet["CidrBlock"]), rules)


def _allows(
    groups: Sequence[str], network: IPv4Network, rules: Sequence[SecurityGroupRule] | None
) -> bool | EndpointDoubt | frozenset[str]:
    if not groups or rules is None:
        return EndpointDoubt.CALLERS_UNKNOWN
    found = allowed_inbound((each for each in rules if each["GroupId"] in groups), (HTTPS,))
    if found.has(network):
        return True
    if found.some_more or found.touches([network]):
        return EndpointDoubt.CALLERS_UNKNOWN
    return found.groups or False
