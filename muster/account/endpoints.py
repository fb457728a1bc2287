"""Which of AWS's services a subnet reaches by the VPC's endpoints. Pure.

A gateway endpoint serves the subnets of the route tables that it is in. An interface endpoint serves the whole VPC, in
whichever zones its own interfaces are, where the service's own name leads to it (private DNS) and its security groups
let the caller in on TCP 443 (AWS PrivateLink guide: gateway endpoints; access an AWS service using an interface VPC
endpoint). Those of a VPC that another account shares serve its subnets, too, and are described to that account alone
(same guide, Shared subnets): there no list is all of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Any

from muster.account.answer import Answer
from muster.account.inbound import SecurityGroupRule, inbound
from muster.account.named import MOST_VALUES, by_id
from muster.account.question import Question
from muster.fleet.facts import EndpointDoubt

HTTPS = 443

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reach:
    """What a subnet reaches by endpoints."""

    served: frozenset[str] = frozenset()
    """Services, as in ecr.api: from all of its addresses."""
    open_to: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Service -> the security groups that get in, where addresses alone do not."""
    in_doubt: Mapping[str, EndpointDoubt] = field(default_factory=dict)
    """Service -> why AWS's answers do not tell."""


def service(endpoint: Json, region: str) -> str:
    """``com.amazonaws.us-west-2.ecr.api`` -> ``ecr.api``; of other makers' services the whole name. Endpoints of
    resources and of service networks are of none."""
    name = str(endpoint.get("ServiceName", ""))
    return name.partition(f"com.amazonaws.{region}.")[2] or name


def rules_of(endpoints: Iterable[Json]) -> list[Question]:
    """Whom the security groups of endpoints let in: one question, none where there are no such groups."""
    groups = sorted({id_ for each in endpoints for id_ in _groups(each) or ()})
    about = "rules of the endpoints' security groups"
    asked = {"Filters": by_id("group-id", tuple(groups[:MOST_VALUES]))}
    return [Question("ec2", "DescribeSecurityGroupRules", about, asked)] if groups else []


def rules(answers: Sequence[Answer]) -> Mapping[str, Sequence[SecurityGroupRule]] | None:
    """Security group -> its rules, of those that were asked about; None where AWS did not say."""
    found: dict[str, list[SecurityGroupRule]] = {}
    for answer in answers:
        if answer.result is None:
            return None
        (asked,) = answer.question.parameters["Filters"]
        found |= {id_: [] for id_ in asked["Values"]}
        for each in answer.result.get("SecurityGroupRules", ()):
            found.setdefault(str(each.get("GroupId")), []).append(each)
    return found


def reach(
    subnet: Json,
    table: Json | None,
    endpoints: Sequence[Json],
    lets: Mapping[str, Sequence[SecurityGroupRule]] | None,
    region: str,
) -> Reach:
    """What a subnet reaches by a VPC's endpoints.

    Args:
        subnet: an entry of `DescribeSubnets`.
        table: its route table; None where that is not known.
        endpoints: `DescribeVpcEndpoints`, those that are available.
        lets: what `rules` makes of the answers.
        region: the stack's.
    """
    served: set[str] = set()
    open_to: dict[str, set[str]] = {}
    in_doubt: dict[str, EndpointDoubt] = {}
    for each in endpoints:
        name = service(each, region)
        one = _serves(each, subnet, table, lets)
        if one is True:
            served.add(name)
        elif isinstance(one, EndpointDoubt):
            in_doubt.setdefault(name, one)
        elif one:
            open_to.setdefault(name, set()).update(one)
    return Reach(
        frozenset(served),
        {name: tuple(sorted(open_to[name])) for name in sorted(open_to.keys() - served)},
        {name: in_doubt[name] for name in sorted(in_doubt.keys() - served)},
    )


def _serves(
    endpoint: Json, subnet: Json, table: Json | None, lets: Mapping[str, Sequence[SecurityGroupRule]] | None
) -> bool | EndpointDoubt | frozenset[str]:
    """Whether it serves the subnet, or which security groups alone."""
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
        return False  # the name leads there from other networks alone: as S3's, beside a gateway endpoint
    return _lets_in(_groups(endpoint), subnet, lets)


def _lets_in(
    groups: Sequence[str] | None, subnet: Json, lets: Mapping[str, Sequence[SecurityGroupRule]] | None
) -> bool | EndpointDoubt | frozenset[str]:
    block = subnet.get("CidrBlock")
    if not groups or lets is None or not block or not lets.keys() >= set(groups):
        return EndpointDoubt.CALLERS_UNKNOWN
    found = inbound([rule for group in groups for rule in lets[group]], (HTTPS,))
    network = IPv4Network(block)
    if found.has(network):
        return True
    if found.some_more or found.touches([network]):
        return EndpointDoubt.CALLERS_UNKNOWN
    return found.groups or False


def _groups(endpoint: Json) -> list[str] | None:
    """The security groups of an interface endpoint; None where AWS does not say all of them."""
    if endpoint.get("VpcEndpointType") != "Interface" or not endpoint.get("PrivateDnsEnabled"):
        return None
    groups = [each.get("GroupId") for each in endpoint.get("Groups", ())]
    return None if None in groups else groups
