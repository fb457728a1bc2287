"""Views of roles: however a program writes them, and however little is known."""

import json
from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    NodeRole,
    Ref,
    Statement,
)
from muster.fleet.resources.ref import (
    HYPERPOD,
    LAUNCH_TEMPLATE,
    NODE_GROUP,
)
from muster.policies.views.iam import ROLE
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import registered, seen

NODES = Ref(ROLE, "nodes")
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
OWN, POLICY = "aws:iam/rolePolicy:RolePolicy", "aws:iam/policy:Policy"
ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess"


def document(*actions: str, effect: str = "Allow", **more: Any) -> str:
    return json.dumps({"Statement": [{"Effect": effect, "Action": list(actions), "Resource": "*", **more}]})


def trust(service: str) -> str:
    return json.dumps({"Statement": {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}})


def role(service: str = "ec2.amazonaws.com", **inputs: Any) -> Registration:
    return registered(ROLE, "nodes", id="nodes-1", assumeRolePolicy=trust(service), **inputs)


def of_nodes(*resources: Registration) -> NodeRole:
    (found,) = seen(*resources).of(NodeRole)
    return found


SEVERAL = "aws:iam/policyAttachment:PolicyAttachment"
NAMED = role(name="gpu-nodes")
OURS = "arn:aws:iam::000000000000:policy/all"
POLICY_OF_OURS = {"policy": document("*")}


@pytest.mark.parametrize(
    "others",
    [
        (role(managedPolicyArns=[ADMIN]),),
        (role(), registered(ATTACHMENT, "all", role="nodes-1", policyArn=ADMIN)),
        (role(), registered(ATTACHMENT, "all", role=UNKNOWN, policyArn=ADMIN, needs={"role": [NODES]})),
        (role(), registered(SEVERAL, "all", roles=["nodes-1"], policyArn=ADMIN)),
        (NAMED, registered(ATTACHMENT, "all", role="gpu-nodes", policyArn=ADMIN)),
        (NAMED, registered(SEVERAL, "all", roles=["gpu-nodes"], policyArn=ADMIN)),
    ],
)
def test_managed_policies_are_read_in_every_form(others: tuple[Registration, ...]) -> None:
    """In the role, or attached to it or to several, by name or by what stands behind an unknown id."""
    assert of_nodes(*others).policies == {ADMIN}


@pytest.mark.parametrize(
    "others",
    [
        (role(inlinePolicies=[{"name": "all", **POLICY_OF_OURS}]),),
        (role(), registered(OWN, "all", role="nodes-1", **POLICY_OF_OURS)),
        (NAMED, registered(OWN, "all", role="gpu-nodes", **POLICY_OF_OURS)),
        (
            role(),
            registered(POLICY, "all", **POLICY_OF_OURS, id=OURS),
            registered(ATTACHMENT, "all", role="nodes-1", policyArn=OURS),
        ),
        (
            role(),
            registered(POLICY, "all", **POLICY_OF_OURS),
            registered(ATTACHMENT, "all", role="nodes-1", policyArn=UNKNOWN, needs={"policyArn": [Ref(POLICY, "all")]}),
        ),
    ],
)
def test_policies_that_the_program_writes_are_read_in_every_form(others: tuple[Registration, ...]) -> None:
    """In the role, beside it, or as a policy of the program whose ARN may not be known yet."""
    found = of_nodes(*others)
    assert found.policies == frozenset()
    assert [each.actions for each in found.statements if each is not UNKNOWN] == [{"*"}]


def test_what_is_denied_is_not_allowed_and_what_is_not_named_is_everything() -> None:
    denied, rest = document("*", effect="Deny"), json.dumps({"Statement": [{"Effect": "Allow", "NotAction": "iam:*"}]})
    found = of_nodes(role(inlinePolicies=[{"policy": denied}, {"policy": rest}, {"policy": "no json"}]))
    assert [each.actions for each in found.statements if each is not UNKNOWN] == [{"*"}]


def test_what_is_not_known_of_a_role_is_not_known() -> None:
    assert of_nodes(role(managedPolicyArns=UNKNOWN)).more_policies
    assert of_nodes(role(), registered(OWN, "all", role="nodes-1", policy=UNKNOWN)).more_statements
    assert of_nodes(role(), registered(ATTACHMENT, "all", role="nodes-1", policyArn=UNKNOWN)).more_policies


def test_what_is_known_of_a_role_stands_beside_what_is_not() -> None:
    """Or a policy for everything is lost for a harmless one whose ARN only creation brings."""
    later = registered(ATTACHMENT, "later", role="nodes-1", policyArn=UNKNOWN)
    found = of_nodes(role(managedPolicyArns=[ADMIN, UNKNOWN]), later)
    assert (found.policies, found.more_policies) == ({ADMIN}, True)
    statement = {"Effect": "Allow", "Action": ["s3:*", UNKNOWN], "Resource": "*"}
    inline = [{"policy": {"Statement": [statement, UNKNOWN]}}, UNKNOWN]
    found = of_nodes(role(inlinePolicies=inline))
    assert (found.statements, found.more_statements) == ((Statement(frozenset({"s3:*"}), frozenset({"*"})),), True)


def test_a_name_is_a_roles_where_a_role_is_asked_for() -> None:
    """A launch template, or another role's policy, may have the same one."""
    template = registered(LAUNCH_TEMPLATE, "gpu", name="gpu-nodes")
    found = seen(role(name="nodes"), template, registered(ATTACHMENT, "all", role="gpu-nodes", policyArn=ADMIN))
    assert found.of(NodeRole)[0].policies == frozenset()


@pytest.mark.parametrize(
    "user",
    [
        registered(NODE_GROUP, "workers", nodeRoleArn=UNKNOWN, needs={"nodeRoleArn": [NODES]}),
        registered(HYPERPOD, "ml", instanceGroups=[{"executionRole": "nodes-1"}]),
        registered("aws:iam/instanceProfile:InstanceProfile", "nodes", role="nodes-1"),
        registered("aws:iam/instanceProfile:InstanceProfile", "named", role="gpu-nodes"),
    ],
    ids=lambda each: f"{each.type.rpartition(':')[2]} {each.name}",
)
def test_a_role_is_machines_own_where_machines_act_as_it(user: Registration) -> None:
    """Whatever its trust policy says; a role of pods or of a service is nobody's here."""
    other = role("sagemaker.amazonaws.com", name="gpu-nodes")
    assert of_nodes(other, user).ref == NODES
    assert seen(other).of(NodeRole) == ()
