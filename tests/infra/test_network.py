"""The VPC that Muster makes: subnets with their tags, ways out, endpoints."""

from functools import cache

import pytest

from muster.fleet.resources import ref as types
from tests.factories import DROP
from tests.infra.registered import Registered, registered

A, B, C = ("us-west-2a", "us-west-2b", "us-west-2c")
ROUTE, TABLE = "aws:ec2/route:Route", "aws:ec2/routeTable:RouteTable"
JOINED = "aws:ec2/routeTableAssociation:RouteTableAssociation"
NAT, ADDRESS, GATEWAY = "aws:ec2/natGateway:NatGateway", "aws:ec2/eip:Eip", "aws:ec2/internetGateway:InternetGateway"
ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"


@cache
def made(nat: str = "one", *, endpoints: bool = True) -> Registered:
    network = {"zones": [A, B, C], "cidr": "10.42.0.0/16", "nat": nat, "registry-endpoints": endpoints}
    return registered({"network": {"create": network}, "groups.workers.capacity": DROP})


def test_subnets_and_the_tags_load_balancers_find_them_by() -> None:
    subnets = made().named(types.SUBNET)
    vpc = made().one(types.VPC, "network").id
    assert {
        name: (each.inputs["availabilityZone"], each.inputs["cidrBlock"], each.inputs["mapPublicIpOnLaunch"])
        for name, each in subnets.items()
    } == {
        f"private-{A}": (A, "10.42.0.0/19", False),
        f"private-{B}": (B, "10.42.32.0/19", False),
        f"private-{C}": (C, "10.42.64.0/19", False),
        f"public-{A}": (A, "10.42.224.0/22", True),
        f"public-{B}": (B, "10.42.228.0/22", True),
        f"public-{C}": (C, "10.42.232.0/22", True),
    }
    for name, each in subnets.items():
        role = "kubernetes.io/role/elb" if name.startswith("public") else "kubernetes.io/role/internal-elb"
        assert each.inputs["tags"] == {"Name": f"test-{name}", "muster:stack": "test", role: "1"}
        assert each.inputs["vpcId"] == vpc


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


def test_endpoints_of_s3_and_ecr() -> None:
    """S3's on every table; ECR's in every private subnet, with their names, open to the VPC on 443 alone."""
    program = made()
    subnets, tables = program.named(types.SUBNET), program.named(TABLE)
    group = program.one(types.SECURITY_GROUP, "endpoints")
    endpoints = {name: each.inputs for name, each in program.named(ENDPOINT).items()}
    assert {name: (each["serviceName"], each["vpcEndpointType"]) for name, each in endpoints.items()} == {
        "s3": ("com.amazonaws.us-west-2.s3", "Gateway"),
        "ecr.api": ("com.amazonaws.us-west-2.ecr.api", "Interface"),
        "ecr.dkr": ("com.amazonaws.us-west-2.ecr.dkr", "Interface"),
    }
    assert sorted(endpoints["s3"]["routeTableIds"]) == sorted(each.id for each in tables.values())
    for name in ("ecr.api", "ecr.dkr"):
        assert endpoints[name]["subnetIds"] == [subnets[f"private-{zone}"].id for zone in (A, B, C)]
        assert endpoints[name]["securityGroupIds"] == [group.id]
        assert endpoints[name]["privateDnsEnabled"] is True
    rule = program.one(INGRESS, "endpoints-from-vpc").inputs
    assert {key: value for key, value in rule.items() if key != "description"} == {
        "securityGroupId": group.id,
        "cidrIpv4": "10.42.0.0/16",
        "ipProtocol": "tcp",
        "fromPort": 443,
        "toPort": 443,
    }


def test_without_endpoints_of_ecr_there_is_no_group_for_them() -> None:
    program = made(endpoints=False)
    assert set(program.named(ENDPOINT)) == {"s3"}
    assert "endpoints" not in program.named(types.SECURITY_GROUP)


def test_who_stands_where() -> None:
    """The control plane, and groups of no zone, in the first two: EKS takes no third later. The workers in theirs."""
    program = made()
    subnets = program.named(types.SUBNET)
    private = [subnets[f"private-{zone}"].id for zone in (A, B)]
    cluster = program.one(types.CLUSTER, "cluster-eksCluster").inputs
    assert sorted(cluster["vpcConfig"]["subnetIds"]) == sorted(private)
    groups = {name: each.inputs["subnetIds"] for name, each in program.named(types.NODE_GROUP).items()}
    assert groups["workers"] == [subnets[f"private-{A}"].id]
    assert sorted(groups["system"]) == sorted(private)
    vpc = program.one(types.VPC, "network").id
    assert {each.inputs["vpcId"] for each in program.named(types.SECURITY_GROUP).values()} == {vpc}


def test_a_network_that_exists_is_left_as_it_is() -> None:
    ours = {types.VPC, types.SUBNET, ROUTE, TABLE, JOINED, NAT, ADDRESS, GATEWAY, ENDPOINT}
    assert not ours & registered().types
    assert ours <= made().types
