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


UNKNOWN_EGRESS = Egress(None)


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
    table = route_table_of(subnet, tables)
    if table is None or not _is_complete(table):
        return UNKNOWN_EGRESS
    route = _default(table)
    if route is None:
        return Egress(WayOut.NONE)
    gateway = _target(route)
    if not route.get("State") or gateway is None:
        return Egress(None, gateway)
    if route["State"] != "active":
        return Egress(WayOut.NONE, gateway, GatewayFault.GONE)
    if route.get("NatGatewayId"):
        nat = None if nats is None else nats.get(route["NatGatewayId"], _NO_NAT if own else None)
        return _by_nat(route["NatGatewayId"], nat, subnet, tables)
    return Egress(WayOut.INTERNET_GATEWAY if gateway.startswith("igw-") else WayOut.OTHER, gateway)


_DESTINATIONS = frozenset({"DestinationCidrBlock", "DestinationIpv6CidrBlock", "DestinationPrefixListId"})


def _is_complete(table: Json) -> bool:
    """Whether the answer has all routes and their destinations: a missing one may be the default route."""
    return "Routes" in table and all(_DESTINATIONS & route.keys() for route in table["Routes"])


def route_table_of(subnet: Json, tables: Sequence[Json]) -> Json | None:
    """A subnet's route table: an associated one, or its VPC's main table. None if it is unknown."""
    if not all("Associations" in table for table in tables):
        return None
    of_it = [table for table in tables if subnet.get("SubnetId") in _associated(table)]
    if not of_it and any(_UNTOLD in _associated(table) for table in tables):
        return None
    mains = [table for table in tables if table.get("VpcId") == subnet.get("VpcId") and None in _associated(table)]
    return next(iter(of_it or mains), None)


def _associated(table: Json) -> set[str | None]:
    """The subnets and gateways of a table; None among them if it is its VPC's main table."""
    return {
        None if each.get("Main") else each.get("SubnetId") or each.get("GatewayId", _UNTOLD)
        for each in table.get("Associations", ())
    }


_UNTOLD = ""
"""Represents a subnet that AWS leaves out: it may be any subnet."""


def _default(table: Json) -> Json | None:
    """The default route: that of 0.0.0.0/0, else one that may cover all addresses."""
    routes = table.get("Routes", ())
    default = next((each for each in routes if each.get("DestinationCidrBlock") == _EVERYWHERE), None)
    wide = (each for each in routes if each.get("DestinationCidrBlock") in _HALVES or _by_list(each))
    return default or next((each for each in wide if each.get("State") in {None, "active"}), None)


def _target(route: Json) -> str | None:
    """The id of its target; None if the answer lacks it."""
    return next((str(route[key]) for key in _TARGETS if route.get(key)), None)


def _by_list(route: Json) -> bool:
    """Whether it is for a prefix list that may cover all addresses; those of gateway endpoints cover one service."""
    return "DestinationPrefixListId" in route and not str(route.get("GatewayId", "")).startswith("vpce-")


def _by_nat(id_: str, nat: Json | None, subnet: Json, tables: Sequence[Json]) -> Egress:
    """The egress through a NAT gateway. It gives internet access if it is public and available, and has itself a route
    to an internet gateway (VPC user guide, NAT gateways). None if nothing is known about it."""
    if nat is None or not nat.get("State"):
        return Egress(None, id_)
    if nat["State"] != "available":
        fault = GatewayFault.GONE if nat["State"] == "deleted" else GatewayFault.NOT_AVAILABLE
        return Egress(WayOut.NONE, id_, fault)
    kind = nat.get("ConnectivityType")
    if kind != "public":
        return Egress(WayOut.OTHER if kind else None, id_)
    return _beyond(id_, _table_of_nat(nat, subnet, tables))


_NO_NAT: Json = {"State": "deleted"}
"""AWS lists a NAT gateway for an hour after its deletion: one that its VPC does not list is deleted."""


def _table_of_nat(nat: Json, subnet: Json, tables: Sequence[Json]) -> Json | None:
    """The route table of a NAT gateway: its subnet's, or for a regional gateway, which is in no subnet, its own."""
    if nat.get("AvailabilityMode") == "regional":
        own = nat.get("RouteTableId")
        return next((table for table in tables if own and table.get("RouteTableId") == own), None)
    beside = {"SubnetId": nat["SubnetId"], "VpcId": nat.get("VpcId", subnet.get("VpcId"))} if "SubnetId" in nat else {}
    return route_table_of(beside, tables) if beside else None


def _beyond(id_: str, table: Json | None) -> Egress:
    """The egress that results from a NAT gateway's route table."""
    if table is None or not _is_complete(table):
        return Egress(None, id_)
    route = _default(table)
    if route is not None and not route.get("State"):
        return Egress(None, id_)
    if route is None or route["State"] != "active":
        return Egress(WayOut.NONE, id_, GatewayFault.WITHOUT_INTERNET)
    gateway = _target(route)
    if gateway is None:
        return Egress(None, id_)
    # A firewall may be between the two: its rules are unknown.
    return Egress(WayOut.NAT, id_) if gateway.startswith("igw-") else Egress(WayOut.OTHER, gateway)
