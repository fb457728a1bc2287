"""The network that exists, of answers."""

from typing import Any

import pytest

from muster.account.topics.network import NETWORK
from muster.fleet.facts import GatewayFault, SubnetFacts, WayOut
from tests.account.aws import Refused
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import FREE, NAT, PUBLIC, Ec2, ec2

WANTED, MACHINES = needs("p5-odcr"), needs("hyperpod-existing-eks")
VPC, A, B = "vpc-0e164b7fb9c384084", "subnet-0158af790f4485ffd", "subnet-0944e182450e24d74"
DENIED = Refused("UnauthorizedOperation")
NO_ROUTES = {"RouteTableId": "rtb-00000000000000001", "VpcId": VPC, "Routes": []}
EVERYWHERE = {"DestinationCidrBlock": "0.0.0.0/0", "State": "active"}


def facts(made: Ec2, wanted=WANTED, **said: Any):
    """What comes of the answers of an account, some of them changed."""
    return run_topic(NETWORK, wanted, {**made.answers(), **said})[0].facts


def subnet(made: Ec2, wanted=WANTED, **said: Any) -> SubnetFacts:
    """Of the workers' subnet."""
    return facts(made, wanted, **said).subnets[A]


@pytest.mark.parametrize(
    ("route", "way_out"),
    [
        ({**EVERYWHERE, "NatGatewayId": "nat-0123456789abcdef0"}, WayOut.NAT),
        ({**EVERYWHERE, "GatewayId": "igw-0123456789abcdef0"}, WayOut.INTERNET_GATEWAY),
        ({**EVERYWHERE, "GatewayId": "vgw-0123456789abcdef0"}, WayOut.OTHER),
        ({**EVERYWHERE, "TransitGatewayId": "tgw-0123456789abcdef0"}, WayOut.OTHER),
        ({**EVERYWHERE, "NetworkInterfaceId": "eni-0123456789abcdef0"}, WayOut.OTHER),
        ({**EVERYWHERE, "VpcPeeringConnectionId": "pcx-0123456789abcdef0"}, WayOut.OTHER),
        ({**EVERYWHERE, "NatGatewayId": "nat-0123456789abcdef0", "State": "blackhole"}, WayOut.NONE),
        ({**EVERYWHERE, "NatGatewayId": "nat-0123456789abcdef0", "State": "filtered"}, WayOut.NONE),
        ({**EVERYWHERE, "DestinationCidrBlock": "128.0.0.0/1", "GatewayId": "vgw-0123456789abcdef0"}, WayOut.OTHER),
        (
            {"DestinationPrefixListId": "pl-01234567", "TransitGatewayId": "tgw-0123456789abcdef0", "State": "active"},
            WayOut.OTHER,
        ),
        ({"DestinationPrefixListId": "pl-01234567", "GatewayId": "vpce-0123456789abcdef0"}, WayOut.NONE),
        ({"DestinationCidrBlock": "192.168.0.0/16", "TransitGatewayId": "tgw-0123456789abcdef0"}, WayOut.NONE),
        ({"DestinationIpv6CidrBlock": "::/0", "GatewayId": "igw-0123456789abcdef0"}, WayOut.NONE),
    ],
)
def test_where_everywhere_leads(route: dict[str, str], way_out: WayOut) -> None:
    """By the route of 0.0.0.0/0; one whose target is gone leads nowhere."""
    made = ec2(WANTED)
    made.tables[0]["Routes"][1:] = [{"State": "active", **route}]
    assert subnet(made).way_out is way_out


def test_a_subnet_without_a_table_has_the_main_one() -> None:
    """And one with its own has that, whatever the main one says."""
    made = ec2(WANTED)
    made.tables[0]["Associations"] = [{"Main": True}]
    assert subnet(made).way_out is WayOut.NAT
    made.tables.append({**NO_ROUTES, "Associations": [{"SubnetId": A, "Main": False}]})
    assert [facts(made).subnets[each].way_out for each in (A, B)] == [WayOut.NONE, WayOut.NAT]


def test_the_main_table_of_another_vpc_says_nothing() -> None:
    """As of a subnet that is in another one."""
    made = ec2(WANTED)
    made.tables[0]["Associations"] = [{"Main": True}]
    made.subnets[0]["VpcId"] = "vpc-00000000000000001"
    assert (subnet(made).way_out, subnet(made).vpc) == (None, "vpc-00000000000000001")


def test_what_the_stacks_own_nodes_hold_counts_as_free() -> None:
    """Each address of each interface, a prefix for sixteen; others' and those of instances that are gone do not."""
    made = ec2(WANTED)

    def instance(state: str = "running", stack: str = "p5-odcr", **interface: Any) -> dict[str, Any]:
        nic = {"SubnetId": A, "PrivateIpAddresses": [{"PrivateIpAddress": "10.0.0.4"}] * 50, **interface}
        tags = [{"Key": "muster:stack", "Value": stack}]
        made = {"InstanceType": "p5.48xlarge", "State": {"Name": state}}
        return {**made, "Tags": tags, "NetworkInterfaces": [nic]}

    made.instances = [instance(), instance("terminated"), instance(stack="other"), instance(SubnetId=B)]
    assert subnet(made).free_addresses == FREE + 50
    made.instances = [instance(Ipv4Prefixes=[{"Ipv4Prefix": "10.0.1.0/28"}] * 2)]
    assert subnet(made).free_addresses == FREE + 50 + 32


def test_hyperpods_nodes_go_by_the_security_group_that_they_carry() -> None:
    """They are in SageMaker's account: no list of instances has them."""
    made = ec2(MACHINES)
    nic = {"SubnetId": A, "PrivateIpAddresses": [{"PrivateIpAddress": "10.0.0.4"}] * 81}
    made.interfaces = [
        {**nic, "Groups": [{"GroupName": f"{MACHINES.blueprint.name_stem}-efa-2026112110"}]},
        {**nic, "Groups": [{"GroupName": "another-efa-2026112110"}]},
    ]
    assert subnet(made, MACHINES).free_addresses == FREE + 81
    assert "ec2.DescribeInstances" not in run_topic(NETWORK, MACHINES, made.answers())[1].operations
    denied = {"ec2.DescribeNetworkInterfaces": Refused("UnauthorizedOperation")}
    assert subnet(made, MACHINES, **denied).free_addresses is None


NO_ROUTE = "subnet-00000000000000007"


@pytest.mark.parametrize(
    ("said", "way_out", "gateway", "fault"),
    [
        ({"ConnectivityType": "private"}, WayOut.OTHER, NAT, None),
        ({"State": "pending"}, WayOut.NONE, NAT, GatewayFault.NOT_AVAILABLE),
        ({"State": "failed"}, WayOut.NONE, NAT, GatewayFault.NOT_AVAILABLE),
        ({"State": "deleted"}, WayOut.NONE, NAT, GatewayFault.GONE),
        ({"NatGatewayId": "nat-00000000000000009"}, WayOut.NONE, NAT, GatewayFault.GONE),
        ({"SubnetId": NO_ROUTE}, WayOut.NONE, NAT, GatewayFault.WITHOUT_INTERNET),
        ({"SubnetId": A}, WayOut.OTHER, NAT, None),
        ({"SubnetId": None, "AvailabilityMode": "regional", "RouteTableId": PUBLIC}, WayOut.NAT, NAT, None),
        ({"SubnetId": None, "AvailabilityMode": "regional", "RouteTableId": "rtb-00000000000000009"}, None, NAT, None),
    ],
)
def test_a_nat_gateway_is_a_way_out_where_it_is_one_itself(said, way_out, gateway, fault) -> None:
    """Public, available, and with a route to an internet gateway; a regional one has a table of its own."""
    made = ec2(WANTED)
    made.tables.append({**NO_ROUTES, "Associations": [{"SubnetId": NO_ROUTE, "Main": False}]})
    made.nats[0] = {key: each for key, each in {**made.nats[0], **said}.items() if each is not None}
    known = subnet(made)
    assert (known.way_out, known.gateway, known.gateway_fault) == (way_out, gateway, fault)
