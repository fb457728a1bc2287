"""The VPCs of a Region, their subnets, and its zones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from muster.account.caller_identity import GET_CALLER_IDENTITY, account_of
from muster.account.query import Answer, Inquiry, Query
from muster.account.routes import egress_by_table
from muster.cli.init.inquiry import require_members, short_reason
from muster.fleet.facts import WayOut

MAX_QUERIED_VPCS = 20
"""The maximum number of VPCs whose DNS attributes are queried, with two calls each."""


@dataclass(frozen=True, slots=True)
class AccountSubnet:
    """A subnet with IPv4 addresses, in an Availability Zone."""

    id: str
    zone: str
    zone_id: str | None
    free: int
    gives_public: bool
    """Whether instances get a public address there."""
    way_out: WayOut | None
    """None if its routes are unknown."""


@dataclass(frozen=True, slots=True)
class AccountVpc:
    """A VPC."""

    id: str
    cidrs: tuple[str, ...]
    subnets: tuple[AccountSubnet, ...]
    dns: bool | None = None
    """Whether it has DNS resolution and DNS hostnames, which EKS and ParallelCluster require. None if not queried, or
    not answered."""
    queried: bool = True
    """Whether the attributes were queried."""


@dataclass(frozen=True, slots=True)
class AccountNetworks:
    """The networks and zones that a new stack could use."""

    vpcs: tuple[AccountVpc, ...] | None
    """None if they are unknown."""
    zones: Mapping[str, str] = field(default_factory=dict)
    """Availability Zone -> its id. Empty if the ids are unknown."""
    offered: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Instance type -> the zones that offer it. Empty if the offers are unknown."""
    cidrs: tuple[str, ...] | None = None
    """The CIDR blocks of all VPCs; they may be known even if the subnets are not. None if they are unknown."""
    account: str = ""
    unanswered: tuple[Answer, ...] = ()

    def open_of(self, *operations: str) -> list[str]:
        """The operations without an answer among these, with the reasons, for a file's comment."""
        return [short_reason(each) for each in self.unanswered if each.question.operation in operations]


def query_networks(types: Sequence[str], zone: str, vpc: str | None = None) -> Inquiry[AccountNetworks]:
    """The account's data for the choice of a network. Data that AWS did not give is left out, and is in `unanswered`.

    Args:
        types: the instance types of the nodes.
        zone: the workers' zone. The attributes of a VPC without subnets there are not queried.
        vpc: the only VPC whose attributes are queried; None queries all candidates.
    """
    found, unanswered = yield from _query(types)
    if found.vpcs is None:
        return replace(found, unanswered=unanswered)
    queried = [each for each in found.vpcs if vpc in {None, each.id} and _possible(each, zone)][:MAX_QUERIED_VPCS]
    answers = yield [_attribute(vpc.id, name) for vpc in queried for name in _ATTRIBUTES]
    dns = {vpc.id: _both(answers[2 * index : 2 * index + 2]) for index, vpc in enumerate(queried)}
    vpcs = tuple(replace(each, dns=dns.get(each.id), queried=each.id in dns) for each in found.vpcs)
    open_ = tuple(each for each in answers if not each.answered)
    return replace(found, vpcs=vpcs, unanswered=(*unanswered, *open_))


_ATTRIBUTES = {"enableDnsSupport": "EnableDnsSupport", "enableDnsHostnames": "EnableDnsHostnames"}


def _possible(vpc: AccountVpc, zone: str) -> bool:
    return any(each.zone == zone and not each.gives_public for each in vpc.subnets)


def _query(types: Sequence[str]) -> Inquiry[tuple[AccountNetworks, tuple[Answer, ...]]]:
    questions = [
        GET_CALLER_IDENTITY,
        Query("ec2", "DescribeVpcs", "the list of VPCs"),
        Query("ec2", "DescribeSubnets", "their subnets"),
        Query("ec2", "DescribeRouteTables", "their routes"),
        Query("ec2", "DescribeAvailabilityZones", "the list of zones"),
        Query(
            "ec2",
            "DescribeInstanceTypeOfferings",
            "the zones that offer the types",
            {"LocationType": "availability-zone", "Filters": ({"Name": "instance-type", "Values": tuple(types)},)},
        ),
    ]
    who, *listings = yield questions
    listings = [require_members(each, *members) for each, members in zip(listings, _MEMBERS, strict=True)]
    vpcs, subnets, routes, zones, offerings = (each.result for each in listings)
    plain = _zones(zones or {})
    found = AccountNetworks(
        vpcs=None if vpcs is None or subnets is None else tuple(_vpcs(vpcs, subnets, routes, plain)),
        zones=plain,
        offered=_offered(offerings or {}),
        cidrs=None if vpcs is None else tuple(sorted({one for each in vpcs["Vpcs"] for one in _ranges(each)})),
        account=account_of(who) or "",
    )
    return found, tuple(each for each in (who, *listings) if not each.answered)


_MEMBERS = (
    ("Vpcs", "VpcId", "CidrBlock", "CidrBlockAssociationSet.CidrBlock"),
    (
        *("Subnets", "SubnetId", "VpcId", "State", "AvailabilityZone", "AvailabilityZoneId"),
        *("AvailableIpAddressCount", "MapPublicIpOnLaunch"),
    ),
    ("RouteTables", "VpcId"),  # `muster.account.routes` checks the members of routes
    ("AvailabilityZones", "ZoneName", "ZoneId", "ZoneType", "State"),
    ("InstanceTypeOfferings", "InstanceType", "Location"),
)
"""The list of each answer, and what its entries are to have."""


def _vpcs(
    vpcs: Mapping[str, Any], subnets: Mapping[str, Any], routes: Mapping[str, Any] | None, zones: Mapping[str, str]
) -> Iterable[AccountVpc]:
    tables = None if routes is None else list(routes["RouteTables"])
    for vpc in sorted(vpcs["Vpcs"], key=lambda each: str(each["VpcId"])):
        name = str(vpc["VpcId"])
        own = [each for each in subnets["Subnets"] if each["VpcId"] == name and _usable(each, zones)]
        seen = tuple(_subnet(each, tables) for each in sorted(own, key=lambda each: str(each["SubnetId"])))
        yield AccountVpc(name, tuple(sorted(_ranges(vpc))), seen)


def _ranges(vpc: Mapping[str, Any]) -> set[str]:
    return {str(each["CidrBlock"]) for each in (vpc, *vpc["CidrBlockAssociationSet"])}


def _usable(subnet: Mapping[str, Any], zones: Mapping[str, str]) -> bool:
    """With IPv4, not on an Outpost, and not in a Local Zone (if the zones are known)."""
    elsewhere = bool(zones) and subnet["AvailabilityZone"] not in zones
    return subnet["State"] == "available" and not (subnet.get("Ipv6Native") or subnet.get("OutpostArn") or elsewhere)


def _subnet(subnet: Mapping[str, Any], tables: list[Mapping[str, Any]] | None) -> AccountSubnet:
    return AccountSubnet(
        id=str(subnet["SubnetId"]),
        zone=str(subnet["AvailabilityZone"]),
        zone_id=subnet["AvailabilityZoneId"],
        free=int(subnet["AvailableIpAddressCount"]),
        gives_public=bool(subnet["MapPublicIpOnLaunch"]),
        way_out=None if tables is None else egress_by_table(subnet, tables),
    )


def _zones(result: Mapping[str, Any]) -> dict[str, str]:
    """Without Local Zones and Wavelength Zones, which have no EKS control planes and no reservations."""
    return {
        str(each["ZoneName"]): str(each["ZoneId"])
        for each in result.get("AvailabilityZones", ())
        if each["ZoneType"] == "availability-zone" and each["State"] == "available"
    }


def _offered(result: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for each in result.get("InstanceTypeOfferings", ()):
        found.setdefault(str(each["InstanceType"]), set()).add(str(each["Location"]))
    return {name: frozenset(zones) for name, zones in found.items()}


def _attribute(vpc: str, name: str) -> Query:
    return Query("ec2", "DescribeVpcAttribute", f"VPC {vpc}, {name}", {"VpcId": vpc, "Attribute": name})


def _both(answers: Sequence[Answer]) -> bool | None:
    values = [
        (each.result or {}).get(key, {}).get("Value") for each, key in zip(answers, _ATTRIBUTES.values(), strict=True)
    ]
    return False if False in values else True if values == [True, True] else None
