"""Security groups that exist, of answers."""

from typing import Any

import pytest

from muster.account.topics.network import SECURITY_GROUPS
from muster.fleet.facts import SecurityGroupFacts
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import ec2, itself

ONE, TWO = "sg-00000000000000001", "sg-00000000000000002"
WANTED = needs("p5-odcr", {"groups.workers.security-groups": [ONE, TWO]})
VPC = "vpc-0e164b7fb9c384084"


def facts(*rules: dict[str, Any], **said: Any):
    """Of the two groups, with these rules."""
    made = ec2(WANTED)
    made.rules = [*rules]
    return run_topic(SECURITY_GROUPS, WANTED, {**made.answers(), **said})[0].facts.security_groups


def test_each_group_is_judged_by_its_own_rules() -> None:
    """Every one: EFA needs all of them."""
    both = facts(itself(ONE, egress=False), itself(ONE, egress=True), itself(TWO, egress=False))
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
    found = facts({**itself(ONE, egress=True), "ReferencedGroupInfo": {"GroupId": ONE}, **rule})
    assert found[ONE].self_egress is False


def test_one_that_is_not_there() -> None:
    assert facts(**{"ec2.DescribeSecurityGroups": {"SecurityGroups": []}})[ONE] == SecurityGroupFacts(exists=False)
