"""Views of security groups: what their rules let pass, however written; half-known, written another way, or wrong."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import LaunchTemplate, Ref, SecurityGroup, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic, tcp
from muster.fleet.resources.ref import DEFAULT_GROUP, SECURITY_GROUP
from muster.unknown import UNKNOWN, if_known
from tests.policies.views.registrations import INGRESS_RULE, registered, seen, template

CLASSIC_RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
A, B = Ref(SECURITY_GROUP, "a"), Ref(SECURITY_GROUP, "b")
LUSTRE = {"fromPort": 988, "toPort": 988}


def allowed(*rules: Registration, **inline: Any) -> frozenset[SecurityGroupRule]:
    """What group a allows; b stands beside it."""
    groups = (registered(SECURITY_GROUP, "a", id="sg-a", **inline), registered(SECURITY_GROUP, "b", id="sg-b"))
    found = seen(*groups, *rules).find(SecurityGroup, A)
    assert found is not None
    return found.allows


@pytest.mark.parametrize(
    ("listed", "behind", "expected"),
    [
        ([UNKNOWN, UNKNOWN], [A, B], (A, B)),
        ([UNKNOWN], [A, B], UNKNOWN),
        ([UNKNOWN, UNKNOWN], [A], UNKNOWN),
        (["sg-1", UNKNOWN], [A], (A, "sg-1")),
        (["sg-1"], [], ("sg-1",)),
        ([], [], ()),
        (UNKNOWN, [A], UNKNOWN),
    ],
)
def test_unknown_groups_are_resolved_only_where_one_answer_is_left(
    listed: Any, behind: list[Ref], expected: Any
) -> None:
    """As many unknown ids as groups behind the property: these; otherwise not known."""
    groups = [registered(SECURITY_GROUP, ref.name) for ref in (A, B)]
    made = template(vpcSecurityGroupIds=listed, needs={"vpcSecurityGroupIds": behind})
    (found,) = seen(*groups, made).of(LaunchTemplate)
    assert found.security_groups == (expected if expected is UNKNOWN else tuple(sorted(expected, key=str)))


@pytest.mark.parametrize(
    ("inline", "expected"),
    [
        ([{"protocol": "tcp", **LUSTRE, "self": True}], {tcp(INGRESS, 988, 988, A)}),
        ([{"protocol": "6", **LUSTRE, "securityGroups": ["sg-b"]}], {tcp(INGRESS, 988, 988, B)}),
        ([{"protocol": -1, "fromPort": 0, "toPort": 0, "self": True}], {all_traffic(INGRESS, A)}),
        ({"protocol": "all", "cidrBlocks": ["0.0.0.0/0"]}, {all_traffic(INGRESS, "0.0.0.0/0")}),
        (
            [{"protocol": "tcp", **LUSTRE, "cidrBlocks": ["10.0.0.0/8"], "prefixListIds": ["pl-1"]}],
            {tcp(INGRESS, 988, 988, "10.0.0.0/8"), tcp(INGRESS, 988, 988, "pl-1")},
        ),
        ([{"protocol": "tcp", **LUSTRE, "securityGroups": UNKNOWN}], {tcp(INGRESS, 988, 988, UNKNOWN)}),
        ([None, "nonsense"], set()),
    ],
)
def test_inline_rules(inline: Any, expected: set[SecurityGroupRule]) -> None:
    """A list, one block, or nonsense."""
    assert allowed(ingress=inline) == expected


def test_the_default_group_has_rules_of_its_own() -> None:
    ssh = {"protocol": "tcp", "fromPort": 22, "toPort": 22, "cidrBlocks": ["0.0.0.0/0"]}
    (found,) = seen(registered(DEFAULT_GROUP, "default", ingress=[ssh])).of(SecurityGroup)
    assert found.allows == {tcp(INGRESS, 22, 22, "0.0.0.0/0")}


def test_an_unknown_group_inline_is_the_only_one_there_can_be() -> None:
    entry = {"protocol": "tcp", **LUSTRE, "securityGroups": [UNKNOWN]}
    assert allowed(egress=[entry], needs={"egress": [B]}) == {tcp(EGRESS, 988, 988, B)}


def test_separate_rules() -> None:
    """Of both kinds; another group's count for that group alone."""
    named = {"securityGroupId": "sg-a", **LUSTRE}
    new = registered(INGRESS_RULE, "new", **named, ipProtocol="tcp", referencedSecurityGroupId="sg-b")
    old = registered(CLASSIC_RULE, "old", **named, type="egress", protocol="tcp", sourceSecurityGroupId="sg-b")
    itself = registered(CLASSIC_RULE, "itself", **named, type="ingress", protocol="tcp", self=True)
    network = registered(INGRESS_RULE, "network", **named, ipProtocol="tcp", cidrIpv4="10.0.0.0/16")
    other = registered(INGRESS_RULE, "other", **{**named, "securityGroupId": "sg-b"}, ipProtocol="tcp")
    assert allowed(new, old, itself, network, other) == {
        tcp(INGRESS, 988, 988, B),
        tcp(EGRESS, 988, 988, B),
        tcp(INGRESS, 988, 988, A),
        tcp(INGRESS, 988, 988, "10.0.0.0/16"),
    }


def test_a_rule_of_somebody_not_yet_known_may_be_ours() -> None:
    rule = registered(INGRESS_RULE, "r", securityGroupId=UNKNOWN, ipProtocol="tcp", **LUSTRE, cidrIpv4="0.0.0.0/0")
    assert allowed(rule) == {tcp(INGRESS, 988, 988, UNKNOWN)}


def opens_itself(direction: str, *rules: Registration, **inline: Any) -> object:
    """Whether group a allows everything from or to itself."""
    group = registered(SECURITY_GROUP, "a", id="sg-a", **inline)
    found = seen(group, registered(SECURITY_GROUP, "b"), *rules).find(SecurityGroup, A)
    assert found is not None
    return if_known(lambda: found.lets(direction, None, frozenset({A})), UNKNOWN)


@pytest.mark.parametrize(
    ("owner", "source", "protocol", "expected"),
    [
        (A, A, "-1", True),
        (B, B, "-1", False),
        (B, A, "-1", False),
        (A, B, "-1", False),
        (A, A, "tcp", False),
        (A, A, UNKNOWN, UNKNOWN),
    ],
)
def test_a_rule_counts_for_its_own_group_only(owner: Ref, source: Ref, protocol: Any, expected: object) -> None:
    """Another group's self rule opens nothing of this one."""
    said = {"securityGroupId": UNKNOWN, "referencedSecurityGroupId": UNKNOWN, "ipProtocol": protocol}
    needs = {"securityGroupId": [owner], "referencedSecurityGroupId": [source]}
    assert opens_itself(INGRESS, registered(INGRESS_RULE, "rule", **said, needs=needs)) is expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"type": "ingress", "self": True}, (True, False)),
        ({"type": "ingress", "self": UNKNOWN}, (UNKNOWN, False)),
        ({"type": UNKNOWN, "self": True}, (UNKNOWN, UNKNOWN)),
        ({"type": "egress", "self": False, "cidrBlocks": ["10.0.0.0/8"]}, (False, False)),
    ],
)
def test_a_classic_rule_of_which_something_is_not_known_may_be_what_opens(said: Any, expected: Any) -> None:
    """Neither that it opens nor that it does not."""
    needs = {"securityGroupId": [A]}
    rule = registered(CLASSIC_RULE, "rule", securityGroupId=UNKNOWN, protocol="-1", needs=needs, **said)
    assert tuple(opens_itself(direction, rule) for direction in (INGRESS, EGRESS)) == expected


@pytest.mark.parametrize(
    ("inline", "expected"),
    [
        ([{"protocol": "-1", "self": True}], True),
        ([{"protocol": UNKNOWN, "self": True}], UNKNOWN),
        ([{"protocol": "-1", "securityGroups": UNKNOWN}], UNKNOWN),
        ([{"protocol": "-1", "securityGroups": ["sg-a"]}], True),
        ([UNKNOWN], UNKNOWN),
        (UNKNOWN, UNKNOWN),
    ],
)
def test_inline_rules_of_which_something_is_not_known(inline: Any, expected: object) -> None:
    assert opens_itself(INGRESS, ingress=inline) is expected


@pytest.mark.parametrize(
    ("rule", "port", "peer", "expected"),
    [
        (tcp(INGRESS, 988, 988, B), 988, B, True),
        (tcp(INGRESS, 988, 988, B), 988, A, False),
        (tcp(INGRESS, 1018, 1023, B), 988, B, False),
        (tcp(INGRESS, 0, 65535, B), 1023, B, True),
        (all_traffic(INGRESS, B), 988, B, True),
        (all_traffic(INGRESS, B), None, B, True),
        (tcp(INGRESS, 0, 65535, B), None, B, False),
        (SecurityGroupRule(INGRESS, "udp", 988, 988, B), 988, B, False),
        (all_traffic(INGRESS, "0.0.0.0/0"), 988, B, True),
        (all_traffic(INGRESS, "0.0.0.0/0"), None, B, False),
        (tcp(INGRESS, 988, 988, "10.0.0.0/16"), 988, B, UNKNOWN),
        (tcp(INGRESS, 988, 988, "sg-1"), 988, B, False),
        (SecurityGroupRule(INGRESS, "tcp", UNKNOWN, 988, B), 988, B, UNKNOWN),
        (SecurityGroupRule(INGRESS, "tcp", 988, UNKNOWN, B), 988, B, UNKNOWN),
        (SecurityGroupRule(INGRESS, UNKNOWN, 988, 988, B), 988, B, UNKNOWN),
        (SecurityGroupRule(INGRESS, "tcp", 988, 988, UNKNOWN), 1018, B, False),
        (SecurityGroupRule(INGRESS, "tcp", None, None, B), 988, B, True),
    ],
)
def test_what_a_rule_lets_pass(rule: SecurityGroupRule, port: int | None, peer: Ref, expected: object) -> None:
    assert if_known(lambda: rule.lets(port, frozenset({peer})), UNKNOWN) is expected
