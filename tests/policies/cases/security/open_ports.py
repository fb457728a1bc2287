"""Ports that are open to all."""

from muster.fleet.resources import AddedRule, Fleet, Place, Ref, SecurityGroupRule
from tests.factories import a_fleet

# security-group-not-open-to-all


RULE_AT = "urn:pulumi:dev::theirs::aws:ec2/securityGroupRule:SecurityGroupRule::ssh"


def added(*rules: SecurityGroupRule) -> Fleet:
    ref = Ref("aws:ec2/securityGroupRule:SecurityGroupRule", "ssh")
    return a_fleet(AddedRule(ref, Place(RULE_AT), frozenset(rules)))
