"""The network that exists, its endpoints and security groups, and whom they let in, of answers."""

from typing import Any

import pytest

from muster.account.network_access import allowed_inbound
from muster.account.topics.network import NETWORK, SECURITY_GROUPS
from muster.fleet.facts import EndpointDoubt, GatewayFault, SecurityGroupFacts, SubnetFacts, VpcFacts, WayOut
from tests.account.accounts import Account
from tests.account.aws import Refused
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import ACCOUNT, FREE, NAT, PRIVATE, PUBLIC, VPC, Ec2, ec2, gateway, interface, itself

WANTED, MACHINES = needs("p5-odcr"), needs("hyperpod-existing-eks")
A, B = "subnet-0158af790f4485ffd", "subnet-0944e182450e24d74"
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


def test_what_is_not_there_does_not_exist() -> None:
    made = ec2(WANTED)
    made.vpcs.clear()
    made.subnets.clear()
    told = facts(made)
    assert told.vpcs == {VPC: VpcFacts(exists=False)}
    assert all(each == SubnetFacts(exists=False) for each in told.subnets.values())
    assert A in told.subnets


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


CIDR = "10.0.0.0/20"
"""Of the workers' subnet."""
NODES = "sg-0aaaaaaaaaaaaaaaa"


def peer(**who: Any) -> dict[str, Any]:
    """Whom an endpoint lets in on TCP 443."""
    return {"IsEgress": False, "IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, **who}


@pytest.mark.parametrize(
    ("lets", "served", "open_to", "in_doubt"),
    [
        (peer(CidrIpv4="10.0.0.0/16"), ("ec2",), {}, {}),
        (peer(CidrIpv4=CIDR), ("ec2",), {}, {}),
        (peer(CidrIpv4="10.0.0.0/21"), (), {}, {"ec2": EndpointDoubt.CALLERS_UNKNOWN}),
        (peer(CidrIpv4="10.0.128.0/20"), (), {}, {}),
        (peer(CidrIpv4="10.0.0.0/16", FromPort=80, ToPort=80), (), {}, {}),
        (peer(CidrIpv4="10.0.0.0/16", IsEgress=True), (), {}, {}),
        (peer(PrefixListId="pl-0123456789abcdef0"), (), {}, {"ec2": EndpointDoubt.CALLERS_UNKNOWN}),
        (peer(ReferencedGroupInfo={"GroupId": NODES}), (), {"ec2": (NODES,)}, {}),
    ],
    ids=["the VPC", "the subnet", "a part", "another subnet", "another port", "out", "a prefix list", "a group"],
)
def test_an_interface_endpoint_serves_whom_it_lets_in(lets, served, open_to, in_doubt) -> None:
    """On TCP 443, whichever zone its own interfaces are in."""
    made = ec2(WANTED)
    made.endpoints.append(interface(made, "ec2", **lets))
    known = subnet(made)
    assert (known.endpoints, known.endpoints_open_to, known.endpoints_in_doubt) == (served, open_to, in_doubt)


@pytest.mark.parametrize(
    ("said", "served", "in_doubt"),
    [
        ({"PrivateDnsEnabled": False}, (), {"ec2": EndpointDoubt.PRIVATE_DNS_OFF}),
        ({"PrivateDnsEnabled": None}, (), {"ec2": EndpointDoubt.PRIVATE_DNS_OFF}),
        ({"DnsOptions": {"PrivateDnsOnlyForInboundResolverEndpoint": True}}, (), {}),
        ({"VpcEndpointType": "GatewayLoadBalancer"}, (), {}),
        ({"Groups": None}, (), {"ec2": EndpointDoubt.CALLERS_UNKNOWN}),
        ({"SubnetIds": ["subnet-00000000000000009"]}, ("ec2",), {}),
    ],
)
def test_an_interface_endpoint_serves_by_its_name(said, served, in_doubt) -> None:
    """Without private DNS it may serve by a hosted zone of yours; what AWS leaves out is not known."""
    made = ec2(WANTED)
    one = {**interface(made, "ec2"), **said}
    made.endpoints.append({key: each for key, each in one.items() if each is not None})
    known = subnet(made)
    assert (known.endpoints, known.endpoints_in_doubt) == (served, in_doubt)


def test_a_gateway_endpoint_serves_the_subnets_of_its_tables() -> None:
    """And no other of the VPC; one of several that serves is enough."""
    made = ec2(WANTED)
    made.endpoints.append(gateway("s3", PUBLIC))
    assert [each.endpoints for each in facts(made).subnets.values()] == [(), (), ("s3",), ("s3",)]
    made.endpoints += [gateway("s3", PRIVATE), {**interface(made, "s3"), "PrivateDnsEnabled": False}]
    assert {each.endpoints for each in facts(made).subnets.values()} == {("s3",)}
    assert subnet(made).endpoints_in_doubt == {}
    made.endpoints[:] = [{key: each for key, each in gateway("s3", PRIVATE).items() if key != "RouteTableIds"}]
    assert subnet(made).endpoints_in_doubt == {"s3": EndpointDoubt.KIND_UNKNOWN}


def test_what_is_not_told_of_endpoints_is_in_doubt() -> None:
    """Their rules, or the routes; where they are not result at all, nothing is known."""
    made = ec2(WANTED)
    made.endpoints += [gateway("s3", PRIVATE), interface(made, "ec2")]
    assert subnet(made).endpoints == ("ec2", "s3")
    known = subnet(made, **{"ec2.DescribeSecurityGroupRules": DENIED})
    assert (known.endpoints, known.endpoints_in_doubt) == (("s3",), {"ec2": EndpointDoubt.CALLERS_UNKNOWN})
    known = subnet(made, **{"ec2.DescribeRouteTables": DENIED})
    assert (known.endpoints, known.endpoints_in_doubt) == (("ec2",), {"s3": EndpointDoubt.KIND_UNKNOWN})
    assert subnet(made, **{"ec2.DescribeVpcEndpoints": DENIED}).endpoints is None


OWNER = "444455556666"
RULE = "subnet-reaches-aws"


def owned(made: Ec2, owner: str = OWNER) -> Ec2:
    """The same network, of another owner."""
    for each in (*made.vpcs, *made.subnets):
        each["OwnerId"] = owner
    return made


def shared(made: Ec2, owner: str = OWNER) -> Ec2:
    """What a participant sees of it: its subnets, and their route tables."""
    made.nats.clear()
    made.endpoints.clear()
    made.tables[:] = [each for each in made.tables if each["RouteTableId"] != "rtb-0eeeeeeeeeeeeeeee"]
    return owned(made, owner)


@pytest.mark.parametrize(
    ("stack", "subnets"),
    [("p5-odcr", f"{A} and {B}"), ("pcluster-gpu", B), ("hyperpod-training-plan", f"{A} and {B}")],
)
def test_nothing_is_wrong_with_a_sound_one(stack, subnets) -> None:
    """What only its owner sees is not evaluated, and nothing else."""
    account = Account.of(stack)
    shared(account.ec2)
    judged = account.judged()
    assert judged.findings == ()
    (one,) = judged.not_evaluated
    assert one.rule == RULE
    assert NAT in one.missing
    assert subnets in one.missing


def test_the_same_answers_in_an_own_vpc_are_a_finding() -> None:
    """There a gateway that is not listed is gone."""
    account = Account.of("p5-odcr")
    shared(account.ec2, ACCOUNT)
    (found,) = account.judged().findings
    assert (found.rule, NAT in found.got) == (RULE, True)


def test_a_blackhole_is_no_way_out_and_endpoints_may_still_be_one() -> None:
    """That the route leads nowhere its table says; what else there is only the owner."""
    account = Account.of("p5-odcr")
    shared(account.ec2).tables[0]["Routes"][1]["State"] = "blackhole"
    known = subnet(account.ec2)
    assert (known.way_out, known.gateway, known.gateway_fault) == (WayOut.NONE, NAT, GatewayFault.GONE)
    judged = account.judged()
    assert (judged.findings, {each.rule for each in judged.not_evaluated}) == ((), {RULE})


@pytest.mark.parametrize(
    "who",
    [{"OwnerId": OWNER}, {"OwnerId": None}, {}],
    ids=["another's", "no owner told", "who asks is not told"],
)
def test_where_the_owner_is_not_known_to_be_who_asks_nothing_is_deduced(who) -> None:
    """Neither that a gateway is gone, nor which endpoints there are."""
    made = ec2(WANTED)
    made.nats.clear()
    for each in (*made.vpcs, *made.subnets):
        each.update(who)
        if each["OwnerId"] is None:
            del each["OwnerId"]
    told = facts(made, **({} if who else {"sts.GetCallerIdentity": Refused("AccessDenied")}))
    known = told.subnets[A]
    assert (known.way_out, known.gateway, known.gateway_fault, known.endpoints) == (None, NAT, None, None)
    assert (known.endpoints_open_to, known.endpoints_in_doubt) == ({}, {})
    assert told.vpcs[VPC] == VpcFacts(exists=True, dnsSupport=True, dnsHostnames=True)


def test_gateways_that_are_listed_count_whoever_owns_the_vpc() -> None:
    """What AWS says of one holds."""
    made = owned(ec2(WANTED))
    assert subnet(made).way_out is WayOut.NAT
    made.nats[0]["State"] = "failed"
    assert (subnet(made).way_out, subnet(made).gateway_fault) == (WayOut.NONE, GatewayFault.NOT_AVAILABLE)
    assert subnet(made, **{"ec2.DescribeNatGateways": DENIED}).way_out is None


PORTS = (988, *range(1018, 1024))
PEER = {"ReferencedGroupInfo": {"GroupId": "sg-1"}}


def tcp(first: int, last: int, **peer):
    return {"IsEgress": False, "IpProtocol": "tcp", "FromPort": first, "ToPort": last, **peer}


@pytest.mark.parametrize(
    ("rules", "groups"),
    [
        ([tcp(988, 988, **PEER), tcp(1018, 1023, **PEER)], {"sg-1"}),
        ([tcp(0, 65535, **PEER)], {"sg-1"}),
        ([{**tcp(-1, -1, **PEER), "IpProtocol": "-1"}], {"sg-1"}),
        ([{**tcp(988, 1023, **PEER), "IpProtocol": "6"}], {"sg-1"}),
        ([tcp(988, 988, **PEER)], set()),
        ([tcp(988, 988, **PEER), tcp(1018, 1022, **PEER)], set()),
        ([{**tcp(988, 1023, **PEER), "IsEgress": True}], set()),
        ([{**tcp(988, 1023, **PEER), "IpProtocol": "udp"}], set()),
        ([{**tcp(8, 0, **PEER), "IpProtocol": "icmp"}], set()),
        ([], set()),
    ],
    ids=[
        *("port by port", "a range", "every protocol", "TCP by number", "one port", "a port less"),
        *("what goes out", "UDP", "ICMP", "none"),
    ],
)
def test_groups_that_get_in_on_every_port(rules, groups) -> None:
    """All of the ports, by one rule or several; TCP, coming in."""
    assert allowed_inbound(rules, PORTS).groups == groups


def networks(*rules) -> list[str]:
    """The networks that get in, as words."""
    return [str(each) for each in allowed_inbound(rules, PORTS).networks]


def test_networks_that_get_in_on_every_port() -> None:
    """What all ports have in common, halves joined."""
    assert networks(tcp(988, 1023, CidrIpv4="10.0.0.0/16")) == ["10.0.0.0/16"]
    halves = [tcp(988, 1023, CidrIpv4=each) for each in ("10.0.0.0/17", "10.0.128.0/17")]
    assert networks(*halves) == ["10.0.0.0/16"]
    narrower = [tcp(988, 988, CidrIpv4="0.0.0.0/0"), tcp(1018, 1023, CidrIpv4="10.0.1.0/24")]
    assert networks(*narrower) == ["10.0.1.0/24"]
    apart = [tcp(988, 988, CidrIpv4="10.0.0.0/24"), tcp(1018, 1023, CidrIpv4="10.0.1.0/24")]
    assert networks(*apart) == []


ONE, TWO = "sg-00000000000000001", "sg-00000000000000002"
CARRYING = needs("p5-odcr", {"groups.workers.security-groups": [ONE, TWO]})


def of_groups(*rules: dict[str, Any], **said: Any):
    """Of the two groups, with these rules."""
    made = ec2(CARRYING)
    made.rules = [*rules]
    return run_topic(SECURITY_GROUPS, CARRYING, {**made.answers(), **said})[0].facts.security_groups


def test_each_group_is_judged_by_its_own_rules() -> None:
    """Every one: EFA needs all of them."""
    both = of_groups(itself(ONE, egress=False), itself(ONE, egress=True), itself(TWO, egress=False))
    assert [(each.self_ingress, each.self_egress) for each in both.values()] == [(True, True), (True, False)]
    assert both[ONE].model_dump() == {"exists": True, "vpc": VPC, "self_ingress": True, "self_egress": True}


@pytest.mark.parametrize(
    "rule",
    [
        {"IpProtocol": "tcp", "FromPort": 0, "ToPort": 65535},
        {"ReferencedGroupInfo": {"GroupId": TWO}},
        {"IsEgress": False},
        {"GroupId": TWO},
    ],
    ids=" ".join,
)
def test_what_is_not_everything_to_itself_does_not_count(rule: dict[str, Any]) -> None:
    """Other protocols, other groups, addresses, the other direction, another group's rule."""
    found = of_groups({**itself(ONE, egress=True), "ReferencedGroupInfo": {"GroupId": ONE}, **rule})
    assert found[ONE].self_egress is False


def test_one_that_is_not_there() -> None:
    assert of_groups(**{"ec2.DescribeSecurityGroups": {"SecurityGroups": []}})[ONE] == SecurityGroupFacts(exists=False)
