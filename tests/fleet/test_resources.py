"""What rules see of a program: things by their type, and what security groups let pass."""

from dataclasses import replace
from functools import partial
from importlib import import_module

import pytest

from muster.fleet.resources import ref
from muster.fleet.resources.ec2 import EGRESS, INGRESS, TCP, SecurityGroup, SecurityGroupRule, all_traffic, tcp
from muster.fleet.resources.ref import Place, Ref
from muster.unknown import UNKNOWN, if_known, known

OF_AWS = sorted(each for each in vars(ref).values() if isinstance(each, str) and each.startswith("aws:"))


@pytest.mark.parametrize("token", OF_AWS)
def test_types_are_the_providers_own(token: str) -> None:
    """Every type of the provider's that rules know is the token that its class registers."""
    module, kind = token.removeprefix("aws:").split("/")[0], token.rpartition(":")[2]
    assert getattr(import_module(f"pulumi_aws.{module}"), kind).pulumi_type == token


@pytest.mark.parametrize("direction", [INGRESS, EGRESS])
@pytest.mark.parametrize(
    ("first", "last", "let"),
    [
        (988, 1023, {988, 1022, 1023}),
        (988, 988, {988}),
        (988, None, {988, 1022, 1023, 1024, 65535}),
        (None, 1023, {0, 987, 988, 1022, 1023}),
        (None, None, {0, 987, 988, 1022, 1023, 1024, 65535}),
        (0, 65535, {0, 987, 988, 1022, 1023, 1024, 65535}),
        (0, 0, {0}),
    ],
)
def test_the_ports_that_a_rule_lets_pass(direction: str, first: int | None, last: int | None, let: set[int]) -> None:
    """From the first to the last, both among them; all where none is said. Of another protocol none, of every one
    all, whatever its ports."""
    ports = {0, 987, 988, 1022, 1023, 1024, 65535, 65536}
    rule = SecurityGroupRule(direction, TCP, first, last, PEER)
    assert {port for port in ports if rule.lets(port, ONLY)} == let
    assert not rule.lets(None, ONLY)
    assert {port for port in ports if replace(rule, protocol="udp").lets(port, ONLY)} == set()
    assert {port for port in ports if replace(rule, protocol="-1").lets(port, ONLY)} == ports
    for unknown in (replace(rule, first=UNKNOWN), replace(rule, last=UNKNOWN)):
        assert not any(if_known(partial(unknown.lets, port, ONLY)) for port in ports)
        assert {unknown.lets(port, OTHERS) for port in ports} == {False}
    of_any_protocol = replace(rule, protocol=UNKNOWN)
    assert not any(known(partial(of_any_protocol.lets, port, ONLY)) for port in ports)


PEER, OTHER = Ref(ref.SECURITY_GROUP, "peer"), Ref(ref.SECURITY_GROUP, "other")
ONLY, OTHERS = frozenset({PEER}), frozenset({OTHER, "sg-1"})


@pytest.mark.parametrize(("own", "against"), [(INGRESS, EGRESS), (EGRESS, INGRESS)])
def test_a_rule_lets_pass_one_way(own: str, against: str) -> None:
    """In or out, to its peer and no other, on its ports."""
    group = SecurityGroup(Ref(ref.SECURITY_GROUP, "it"), Place(""), allows=frozenset({tcp(own, 988, 1023, PEER)}))
    assert [group.lets(own, port, ONLY) for port in (987, 988, 1023, 1024, None)] == [False, True, True, False, False]
    assert not group.lets(against, 988, ONLY)
    assert not group.lets(own, 988, OTHERS)
    both = SecurityGroup(group.ref, Place(""), allows=frozenset({all_traffic(own, PEER)}))
    assert (both.lets(own, None, ONLY), both.lets(own, 22, ONLY), both.lets(against, None, ONLY)) == (True, True, False)
