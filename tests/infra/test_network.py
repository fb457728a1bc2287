"""The VPC that Muster makes: subnets with their tags, ways out, endpoints."""

from functools import cache

import pytest

from muster.fleet.resources import ref as types
from tests.factories import DROP
from tests.infra.registered import Registered, registered

A, B, C = ("us-west-2a", "us-west-2b", "us-west-2c")
ROUTE, TABLE = "aws:ec2/route:Route", "aws:ec2/routeTable:RouteTable"
NAT, ADDRESS, GATEWAY = "aws:ec2/natGateway:NatGateway", "aws:ec2/eip:Eip", "aws:ec2/internetGateway:InternetGateway"


@cache
def made(nat: str = "one", *, endpoints: bool = True) -> Registered:
    network = {"zones": [A, B, C], "cidr": "10.42.0.0/16", "nat": nat, "registry-endpoints": endpoints}
    return registered({"network": {"create": network}, "groups.workers.capacity": DROP})


@pytest.mark.parametrize(("nat", "gateways"), [("one", {A: A, B: A, C: A}), ("per-zone", {A: A, B: B, C: C})])
def test_every_private_subnet_has_a_way_out(nat: str, gateways: dict[str, str]) -> None:
    """Zone -> the zone of its NAT gateway. With one, that of the first zone serves all."""
    program = made(nat)
    subnets, tables = program.named(types.SUBNET), program.named(TABLE)
    nats, routes = program.named(NAT), program.named(ROUTE)
    assert set(nats) == set(gateways.values())
    assert set(tables) == {"public", *(f"private-{zone}" for zone in gateways)} == set(routes)
    for zone, of in gateways.items():
        assert routes[f"private-{zone}"].inputs == {
            "routeTableId": tables[f"private-{zone}"].id,
            "destinationCidrBlock": "0.0.0.0/0",
            "natGatewayId": nats[of].id,
        }
    gateway = program.one(GATEWAY, "network")
    assert routes["public"].inputs == {
        "routeTableId": tables["public"].id,
        "destinationCidrBlock": "0.0.0.0/0",
        "gatewayId": gateway.id,
    }
    for zone, each in nats.items():
        address = program.one(ADDRESS, f"nat-{zone}")
        assert address.inputs["domain"] == "vpc"
        assert each.inputs["allocationId"] == address.id
        assert each.inputs["subnetId"] == subnets[f"public-{zone}"].id
        assert gateway.urn in each.dependencies
        assert gateway.urn in address.dependencies
