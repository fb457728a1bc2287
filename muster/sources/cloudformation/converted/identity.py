"""IAM roles, their policies and instance profiles. The property names are those of the CloudFormation template
reference, and of Pulumi's AWS provider 7."""

from collections.abc import Iterable
from typing import Any

from muster.plain_data import as_list
from muster.policies.views.iam import ROLE
from muster.sources.cloudformation.converted.forms import Converted, Properties, entries, put
from muster.unknown import UNKNOWN

POLICY = "aws:iam/policy:Policy"
PROFILE = "aws:iam/instanceProfile:InstanceProfile"
_ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
_OWN = "aws:iam/rolePolicy:RolePolicy"


def role(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::IAM::Role`."""
    own = [
        {"policy": UNKNOWN if each is UNKNOWN else each.get("PolicyDocument", UNKNOWN)}
        for each in entries(properties.get("Policies"))
    ]
    inputs = {
        "assumeRolePolicy": properties.get("AssumeRolePolicyDocument", UNKNOWN),
        "managedPolicyArns": as_list(properties.get("ManagedPolicyArns")),
        "inlinePolicies": own,
    }
    yield Converted(ROLE, put(inputs, name=properties.get("RoleName")))


def policy(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::IAM::Policy` and `AWS::IAM::RolePolicy`: one policy of each role."""
    document = properties.get("PolicyDocument", UNKNOWN)
    roles = as_list(properties.get("Roles", properties.get("RoleName")))
    for index, each in enumerate(roles):
        yield Converted(_OWN, {"role": each, "policy": document}, _part("Roles", index))


def managed_policy(properties: Properties, name: str) -> Iterable[Converted]:
    """`AWS::IAM::ManagedPolicy`, which also attaches itself to roles. `Ref` returns its ARN."""
    document = properties.get("PolicyDocument", UNKNOWN)
    yield Converted(POLICY, put({"policy": document}, name=properties.get("ManagedPolicyName")))
    for index, each in enumerate(as_list(properties.get("Roles"))):
        yield Converted(_ATTACHMENT, {"role": each, "policyArn": name}, f"Roles[{index}]")


def instance_profile(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::IAM::InstanceProfile`, which has exactly one role."""
    roles: list[Any] = as_list(properties.get("Roles"))
    yield Converted(PROFILE, put({"role": roles[0] if roles else UNKNOWN}, name=properties.get("InstanceProfileName")))


def _part(name: str, index: int) -> str:
    return f"{name}[{index}]" if index else ""
