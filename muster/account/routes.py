"""Where the routes of a subnet lead, by its route table and the VPC's NAT gateways. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muster.fleet.facts import GatewayFault, WayOut

_EVERYWHERE = "0.0.0.0/0"
_HALVES = frozenset({"0.0.0.0/1", "128.0.0.0/1"})
"""Everywhere in two parts, as VPNs write it."""

_TARGETS = (
    *("NatGatewayId", "GatewayId", "TransitGatewayId", "VpcPeeringConnectionId", "EgressOnlyInternetGatewayId"),
    *("LocalGatewayId", "CarrierGatewayId", "CoreNetworkArn", "OdbNetworkArn", "NetworkInterfaceId", "InstanceId"),
)
"""The keys of a route's target (EC2 API, Route). A route to an instance has its interface, too."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Egress:
    """The route of traffic that leaves the VPC."""

    out: WayOut | None
    """None where the answers do not show it."""
    gateway: str | None = None
    """The id of the route's target."""
    fault: GatewayFault | None = None
    """Why the target is not a way out, although there is a route."""


UNKNOWN_EGRESS = Egress(None)


def egress_by_nat(subnet: Json, tables: Sequence[Json], nats: Mapping[str, Json] | None, *, own: bool) -> Egress:
    """Where a subnet's default route leads; not known without its route table, as where its VPC is another.

    Of a subnet that another account shares, the routes are visible and the NAT gateways are not (VPC user guide, Share
    your VPC subnets with other accounts): one that is not listed may exist.

    Args:
        subnet: an entry of `DescribeSubnets`.
        tables: `DescribeRouteTables`.
        nats: NAT gateway -> its entry in `DescribeNatGateways`; None where that is not known.
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


def egress_by_table(subnet: Json, tables: Sequence[Json]) -> WayOut | None:
    """Where a subnet's default route leads by its route table alone: any NAT gateway counts, even another's."""
    table = route_table_of(subnet, tables)
    route = _default(table) if table else None
    if route and route.get("NatGatewayId") and route.get("State") == "active":
        return WayOut.NAT
    return egress_by_nat(subnet, tables, None, own=False).out


_DESTINATIONS = frozenset({"DestinationCidrBlock", "DestinationIpv6CidrBlock", "DestinationPrefixListId"})


def _is_complete(table: Json) -> bool:
    """Whether the answer has all routes and their destinations: a missing one may be the default route."""
    return "Routes" in table and all(_DESTINATIONS & route.keys() for route in table["Routes"])


def route_table_of(subnet: Json, tables: Sequence[Json]) -> Json | None:
    """A subnet's route table: an associated one, or its VPC's main table. None where that is not known."""
    if not all("Associations" in table for table in tables):
        return None
    of_it = [table for table in tables if subnet.get("SubnetId") in _associated(table)]
    if not of_it and any(_UNTOLD in _associated(table) for table in tables):
        return None
    mains = [table for table in tables if table.get("VpcId") == subnet.get("VpcId") and None in _associated(table)]
    return next(iter(of_it or mains), None)


def _associated(table: Json) -> set[str | None]:
    """The subnets of a table, and gateways; None among them where it is its VPC's main one."""
    return {
        None if each.get("Main") else each.get("SubnetId") or each.get("GatewayId", _UNTOLD)
        for each in table.get("Associations", ())
    }


_UNTOLD = ""
"""Of a subnet that AWS leaves out: it may be any."""


def _default(table: Json) -> Json | None:
    """The route to everywhere: the one of 0.0.0.0/0, or else one that may hold as much."""
    routes = table.get("Routes", ())
    default = next((each for each in routes if each.get("DestinationCidrBlock") == _EVERYWHERE), None)
    wide = (each for each in routes if each.get("DestinationCidrBlock") in _HALVES or _by_list(each))
    return default or next((each for each in wide if each.get("State") in {None, "active"}), None)


def _target(route: Json) -> str | None:
    """The id of its target; None where the answer lacks it."""
    return next((str(route[key]) for key in _TARGETS if route.get(key)), None)


def _by_list(route: Json) -> bool:
    """A list of prefixes may hold everywhere; those of gateway endpoints hold one service."""
    return "DestinationPrefixListId" in route and not str(route.get("GatewayId", "")).startswith("vpce-")


def _by_nat(id_: str, nat: Json | None, subnet: Json, tables: Sequence[Json]) -> Egress:
    """By a NAT gateway: out where it is public, available, and itself has a route to an internet gateway (VPC user
    guide, NAT gateways). None where nothing is known of it."""
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
"""AWS forgets a NAT gateway an hour after it is deleted: one that its VPC does not list is gone."""


def _table_of_nat(nat: Json, subnet: Json, tables: Sequence[Json]) -> Json | None:
    """The route table of a NAT gateway: its subnet's, or that of a regional one, which is in no subnet."""
    if nat.get("AvailabilityMode") == "regional":
        own = nat.get("RouteTableId")
        return next((table for table in tables if own and table.get("RouteTableId") == own), None)
    beside = {"SubnetId": nat["SubnetId"], "VpcId": nat.get("VpcId", subnet.get("VpcId"))} if "SubnetId" in nat else {}
    return route_table_of(beside, tables) if beside else None


def _beyond(id_: str, table: Json | None) -> Egress:
    """What a NAT gateway's own table makes of it."""
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
    # A firewall may be between the two: only its owner knows what it lets through.
    return Egress(WayOut.NAT, id_) if gateway.startswith("igw-") else Egress(WayOut.OTHER, gateway)
