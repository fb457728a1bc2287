"""What is open to the whole world: from which port to which, from how much of the world, and in which words."""

import pytest

from muster.fleet.resources import SecurityGroupRule
from muster.fleet.resources.ec2 import EVERY_PROTOCOL, INGRESS, tcp
from muster.policies.engine.catalogue import rule_of
from muster.policies.engine.judgement import judge
from muster.policies.rules.security.security_group_not_open_to_all import Ports
from tests.policies.case import got_by
from tests.policies.security import WORLD, WORLD_6, group

OPEN = "security-group-not-open-to-all"
EVERY, SSH = "every TCP port", "SSH (port 22)"


def _opened(rule: SecurityGroupRule) -> str:
    """What is said to be open, nothing where nothing is."""
    said = [
        each.partition(" allows ")[2].partition(" from the whole internet")[0] for each in got_by(OPEN, group(rule))
    ]
    return said[0] if said else ""


@pytest.mark.parametrize(
    ("first", "last", "opened"),
    [
        (0, 65535, EVERY),
        (1, 65535, EVERY),  # nobody listens on port 0
        (2, 65535, SSH),
        (1, 65534, SSH),
        (22, 65535, SSH),
        (23, 65535, ""),
        (0, 22, SSH),
        (0, 21, ""),
        (22, 22, SSH),
    ],
)
def test_ports(first: int, last: int, opened: str) -> None:
    """Every one of them, the one that is closed to the world, or another."""
    assert _opened(tcp(INGRESS, first, last, WORLD)) == opened


@pytest.mark.parametrize(
    ("first", "last", "opened"), [(None, None, EVERY), (None, 22, SSH), (None, 21, ""), (2, None, SSH), (23, None, "")]
)
def test_ports_that_are_not_said(first: int | None, last: int | None, opened: str) -> None:
    """From the first, to the last."""
    assert _opened(SecurityGroupRule(INGRESS, "tcp", first, last, WORLD)) == opened


@pytest.mark.parametrize(
    ("protocol", "opened"), [(EVERY_PROTOCOL, "all traffic"), ("tcp", SSH), ("udp", ""), ("icmp", "")]
)
def test_protocols(protocol: str, opened: str) -> None:
    """SSH is TCP."""
    assert _opened(SecurityGroupRule(INGRESS, protocol, 22, 22, WORLD)) == opened


@pytest.mark.parametrize(
    ("peer", "opened"),
    [
        *((each, SSH) for each in (WORLD, WORLD_6, "0.0.0.0/1", "128.0.0.0/1", "8000::/1")),
        # EC2 takes an address within a network for the network
        *((each, SSH) for each in ("203.0.113.7/0", "203.0.113.7/1", "2001:db8::7/0")),
        *(
            (each, "")
            for each in ("0.0.0.0/2", "203.0.113.7/2", "8000::/2", "10.0.0.0/8", "sg-0fedcba9876543210", "0.0.0.0/x")
        ),
    ],
)
def test_how_much_of_the_world(peer: str, opened: str) -> None:
    """Half of it counts: two such rules are all of it."""
    assert _opened(tcp(INGRESS, 22, 22, peer)) == opened


@pytest.mark.parametrize(
    ("ports", "opened"), [((22,), SSH), ((22, 80), "TCP 22 and 80"), ((80,), "TCP 80"), ((3389,), ""), ((), "")]
)
def test_ports_that_are_closed_by_option(ports: tuple[int, ...], opened: str) -> None:
    """Each by its number; SSH alone by its name."""
    rule = rule_of(OPEN).configured(settings=Ports(ports=ports))
    found = judge(group(tcp(INGRESS, 20, 90, WORLD)), rules=[rule]).findings
    said = [each.got.partition(" allows ")[2].partition(" from the whole internet")[0] for each in found]
    assert said == ([opened] if opened else [])
