"""The network that exists: the VPC, its endpoints, the subnets, and where their routes lead."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.account import own_nodes
from muster.account.answer import Answer
from muster.account.named import by_id, ids
from muster.account.question import Question
from muster.account.told import told
from muster.account.topic import Inquiry, Learned, Said, Topic, Wanted
from muster.fleet.facts import Facts, SubnetFacts, VpcFacts, WayOut
from muster.fleet.named import Kind
from muster.words import listed

_UNKNOWN_VPC = frozenset({"InvalidVpcID.NotFound"})
_EVERYWHERE = "0.0.0.0/0"
_HALVES = frozenset({"0.0.0.0/1", "128.0.0.0/1"})
"""Everywhere in two parts, as VPNs write it."""

Json = Mapping[str, Any]


def _inquire(wanted: Wanted) -> Inquiry:
    vpcs, subnets = ids(wanted, Kind.VPC), ids(wanted, Kind.SUBNET)
    if not vpcs or not subnets:
        return Learned()
    (vpc,) = vpcs
    vpc_, support, names, endpoints, listed_, tables, *own = yield [
        *_of_vpc(vpc),
        Question("ec2", "DescribeSubnets", "subnets", {"Filters": by_id("subnet-id", subnets)}),
        Question("ec2", "DescribeRouteTables", f"route tables of {vpc}", {"Filters": by_id("vpc-id", vpcs)}),
        *own_nodes.questions(wanted),
    ]
    further = own_nodes.more(own)
    held = own_nodes.addresses([*own, *((yield further) if further else ())])
    of_vpc = _vpc_facts(wanted.region, vpc_, support, names, endpoints)
    of_subnets = dict(_subnets(subnets, listed_, tables, held))
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


def _vpc_facts(region: str, vpc: Answer, support: Answer, names: Answer, endpoints: Answer) -> VpcFacts | None:
    answered = [each.result for each in (vpc, support, names, endpoints) if each.result is not None]
    if not answered and not support.absent:
        return None
    there = bool(vpc.result["Vpcs"]) if vpc.result is not None else None
    if there is False or support.absent or names.absent:
        return VpcFacts(exists=False)
    return told(
        VpcFacts,
        {
            "exists": there,
            "dnsSupport": support.result["EnableDnsSupport"]["Value"] if support.result else None,
            "dnsHostnames": names.result["EnableDnsHostnames"]["Value"] if names.result else None,
            "endpoints": None
            if endpoints.result is None
            else sorted(
                # Endpoints of resources and of service networks are of no service.
                {
                    _service(each["ServiceName"], region)
                    for each in endpoints.result["VpcEndpoints"]
                    if "ServiceName" in each
                }
            ),
        },
    )


def _service(name: str, region: str) -> str:
    """``com.amazonaws.us-west-2.ecr.api`` -> ``ecr.api``; of other makers' services the whole name."""
    return name.partition(f"com.amazonaws.{region}.")[2] or name


def _subnets(
    named: Sequence[str], listed_: Answer, tables: Answer, held: Mapping[str, int] | None
) -> Iterator[tuple[str, SubnetFacts]]:
    if listed_.result is None:
        return
    found = {each["SubnetId"]: each for each in listed_.result["Subnets"]}
    for id_ in named:
        one = found.get(id_)
        if one is None:
            yield id_, SubnetFacts(exists=False)
            continue
        free = one.get("AvailableIpAddressCount")
        yield (
            id_,
            told(
                SubnetFacts,
                {
                    "exists": True,
                    "zone": one.get("AvailabilityZone"),
                    "zoneId": one.get("AvailabilityZoneId"),
                    "vpc": one.get("VpcId"),
                    "mapPublicIpOnLaunch": one.get("MapPublicIpOnLaunch"),
                    "freeAddresses": None if free is None or held is None else free + held.get(id_, 0),
                    "wayOut": None if tables.result is None else way_out(one, tables.result["RouteTables"]),
                },
            ),
        )


def way_out(subnet: Json, tables: Sequence[Json]) -> WayOut | None:
    """Where its table leads; None where no table of it is seen, as where its VPC is another."""
    of_it = [table for table in tables if subnet["SubnetId"] in _associated(table)]
    mains = [table for table in tables if table.get("VpcId") == subnet.get("VpcId") and None in _associated(table)]
    table = next(iter(of_it or mains), None)
    if table is None:
        return None
    routes = [route for route in table.get("Routes", ()) if route.get("State") != "blackhole"]
    default = next((each for each in routes if each.get("DestinationCidrBlock") == _EVERYWHERE), None)
    if default is not None:
        return _target(default)
    # A list of prefixes may hold everywhere; those of gateway endpoints hold one service.
    wide = (each for each in routes if each.get("DestinationCidrBlock") in _HALVES or _by_list(each))
    return WayOut.OTHER if any(wide) else WayOut.NONE


def _associated(table: Json) -> set[str | None]:
    """The subnets of a table; None among them where it is its VPC's main one."""
    return {None if each.get("Main") else each.get("SubnetId", "") for each in table.get("Associations", ())}


def _target(route: Json) -> WayOut:
    if route.get("NatGatewayId"):
        return WayOut.NAT
    return WayOut.INTERNET_GATEWAY if str(route.get("GatewayId", "")).startswith("igw-") else WayOut.OTHER


def _by_list(route: Json) -> bool:
    return "DestinationPrefixListId" in route and not str(route.get("GatewayId", "")).startswith("vpce-")


def _vpc_words(known: VpcFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this id in this account and Region"
    words = (
        None if known.dns_support is None else f"DNS support {'on' if known.dns_support else 'off'}",
        None if known.dns_hostnames is None else f"DNS host names {'on' if known.dns_hostnames else 'off'}",
        None if known.endpoints is None else f"endpoints: {listed(known.endpoints) if known.endpoints else 'none'}",
    )
    return ", ".join(each for each in words if each) or "there"


_WORDS = {
    WayOut.NAT: "way out by NAT",
    WayOut.INTERNET_GATEWAY: "way out by an internet gateway",
    WayOut.OTHER: "way out by what only your network knows (a transit gateway, a VPN, an appliance)",
    WayOut.NONE: "no way out",
}


def _subnet_words(known: SubnetFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this id in this account and Region"
    free = known.free_addresses
    words = (
        f"{known.zone} ({known.zone_id})",
        None if free is None else f"{free} addresses free or the stack's own nodes'",
        _WORDS[known.way_out] if known.way_out else None,
        "gives public addresses" if known.map_public_ip_on_launch else None,
    )
    return ", ".join(each for each in words if each)


NETWORK = Topic(
    "network",
    _inquire,
    rights={
        "ec2:DescribeInstances": "*",
        "ec2:DescribeNetworkInterfaces": "*",
        "ec2:DescribeRouteTables": "*",
        "ec2:DescribeSecurityGroups": "*",
        "ec2:DescribeSubnets": "*",
        "ec2:DescribeVpcAttribute": "*",
        "ec2:DescribeVpcEndpoints": "*",
        "ec2:DescribeVpcs": "*",
    },
    leads={"ec2.DescribeSecurityGroups": ("ec2.DescribeNetworkInterfaces",)},
)
