"""What subnets reach by the VPC's endpoints, of answers."""

from typing import Any

import pytest

from muster.fleet.facts import EndpointDoubt
from tests.account.sound_ec2 import PRIVATE, PUBLIC, ec2, gateway, interface
from tests.account.topics.test_network import DENIED, WANTED, facts, subnet

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
