"""The targets of a subnet's routes, from its route table and the VPC's NAT gateways. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muster.fleet.facts import GatewayFault, WayOut

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

Json = Mapping[str, Any]


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
