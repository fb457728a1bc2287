"""Whom rules of security groups let in."""

import pytest

from muster.account.network_access import allowed_inbound

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
