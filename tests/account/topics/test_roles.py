"""Existing roles, instance profiles and policies, of answers."""

from collections.abc import Mapping
from typing import Any

from muster.account.topics.roles import ROLES
from muster.fleet.facts import PolicyFacts, RoleFacts
from tests.account.canned import ABSENT, run_topic
from tests.account.needs import needs
from tests.account.sound_quotas import ACCOUNT, simulated

OURS = f"arn:aws:iam::{ACCOUNT}:"
CHANGE = {
    "iam.permissions-boundary": f"{OURS}policy/boundary",
    "iam.roles.nodes": f"{OURS}role/teams/nodes",
    "access": None,
}


def role(arn: str, service: str) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    return {"Arn": arn, "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [statement]}}


def told(stack: str, change: Mapping[str, Any], answers: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    result, asked = run_topic(ROLES, needs(stack, change), answers)
    return result.facts, asked.queries


def test_a_role_is_asked_whom_it_trusts_and_what_it_allows() -> None:
    answers = {
        "iam.GetRole": {"Role": role(f"{OURS}role/teams/nodes", "ec2.amazonaws.com")},
        "iam.GetPolicy": {"Policy": {"Arn": f"{OURS}policy/boundary"}},
        "iam.SimulatePrincipalPolicy": lambda asked: simulated(asked, ("ecr:GetAuthorizationToken",)),
    }
    facts, asked = told("p5-odcr", CHANGE, answers)
    allowed = {"ec2:DescribeInstances": True, "ecr:GetAuthorizationToken": False}
    arn = f"{OURS}role/teams/nodes"
    assert facts.roles == {arn: RoleFacts(exists=True, role=arn, trusts=("ec2.amazonaws.com",), allowed=allowed)}
    assert facts.policies == {f"{OURS}policy/boundary": PolicyFacts(exists=True)}
    assert [each.parameters for each in asked if each.operation == "GetRole"] == [{"RoleName": "nodes"}]


def test_a_role_of_that_name_on_another_path_is_another_role() -> None:
    answers = {"iam.GetRole": {"Role": role(f"{OURS}role/nodes", "ec2.amazonaws.com")}, "iam.GetPolicy": ABSENT}
    facts, _ = told("p5-odcr", CHANGE, answers)
    assert facts.roles == {f"{OURS}role/teams/nodes": RoleFacts(exists=False)}
    assert facts.policies == {f"{OURS}policy/boundary": PolicyFacts(exists=False)}


def test_of_a_role_that_cannot_be_read_nothing_is_known() -> None:
    facts, _ = told("p5-odcr", CHANGE, {})
    assert (facts.roles, facts.policies) == ({}, {})


def test_an_instance_profile_is_the_role_in_it() -> None:
    profile, arn = f"{OURS}instance-profile/nodes", f"{OURS}role/aws-pcs/nodes"
    answers = {"iam.GetInstanceProfile": {"InstanceProfile": {"Roles": [role(arn, "ec2.amazonaws.com")]}}}
    facts, _ = told("pcs-p5", {"iam.roles.nodes": profile}, answers)
    assert facts.roles == {profile: RoleFacts(exists=True, role=arn, trusts=("ec2.amazonaws.com",))}
