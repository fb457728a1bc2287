"""Existing roles: whom they trust, and whether they allow what their use needs; and managed policies of the account."""

from collections.abc import Mapping, Sequence
from typing import Any

from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic
from muster.account.topics.permissions import SIMULATION_NEEDS, simulated
from muster.blueprint.account_references import find_references
from muster.blueprint.iam import is_profile, role_name
from muster.fleet.facts import Facts, PolicyFacts, RoleFacts
from muster.fleet.policy_documents import services
from muster.fleet.resource_references import ResourceKind, ResourceReference

_ABSENT = frozenset({"NoSuchEntity"})

_IN_IAM = (ResourceKind.ROLE, ResourceKind.INSTANCE_PROFILE, ResourceKind.POLICY)


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    named = [each for each in find_references(wanted.blueprint.described) if each.kind in _IN_IAM and not each.blank]
    if not named:
        return Facts()
    asked = [each for each in named if _actions(each)]
    answers = yield [*map(_read, named), *map(_simulation, asked)]
    read = [(each, answer) for each, answer in zip(named, answers, strict=False) if answer.answered]
    told = dict(zip(asked, map(simulated, answers[len(named) :]), strict=True))
    policies = {each.id: answer for each, answer in read if each.kind is ResourceKind.POLICY}
    return Facts(
        roles={each.id: _facts(each, answer, told.get(each, {})) for each, answer in read if each.id not in policies},
        policies={arn: PolicyFacts(exists=not answer.absent) for arn, answer in policies.items()},
    )


def _read(reference: ResourceReference) -> Query:
    name, of = role_name(reference.id), reference.id
    if reference.kind is ResourceKind.POLICY:
        return Query("iam", "GetPolicy", f"policy {of}", {"PolicyArn": of}, _ABSENT, needs=("Policy.Arn",))
    if is_profile(of):
        needs = ("InstanceProfile.Roles",)
        return Query("iam", "GetInstanceProfile", of, {"InstanceProfileName": name}, _ABSENT, needs=needs)
    return Query("iam", "GetRole", of, {"RoleName": name}, _ABSENT, needs=("Role.Arn",))


def _actions(reference: ResourceReference) -> list[str]:
    """What a role must allow. No use of an instance profile has actions."""
    return sorted({action for use in reference.uses for action in use.actions})


def _simulation(role: ResourceReference) -> Query:
    parameters = {"PolicySourceArn": role.id, "ActionNames": _actions(role)}
    about = f"permissions of {role.id}"
    return Query("iam", "SimulatePrincipalPolicy", about, parameters, _ABSENT, needs=SIMULATION_NEEDS)


def _role_in(answer: Answer) -> Mapping[str, Any] | None:
    """The role in an answer: an instance profile has at most one."""
    result = answer.result or {}
    listed: Sequence[Mapping[str, Any]] = result.get("InstanceProfile", {}).get("Roles", ())
    found: Mapping[str, Any] | None = result.get("Role") or next(iter(listed), None)
    return found


def _facts(reference: ResourceReference, answer: Answer, allowed: Mapping[str, bool | None]) -> RoleFacts:
    found = _role_in(answer)
    # A role of that name with another path is another role.
    if found is None or (not is_profile(reference.id) and found["Arn"] != reference.id):
        return RoleFacts(exists=False if found or answer.absent else None)
    document = found.get("AssumeRolePolicyDocument")
    return RoleFacts(
        exists=True,
        role=found["Arn"],
        trusts=None if document is None else tuple(sorted(services(document))),
        allowed=allowed,
    )


ROLES = Topic(
    "roles",
    "Existing IAM roles, instance profiles and policies: whether they exist, which services the roles trust, and "
    "whether they allow what their use needs.",
    _inquire,
    frozenset({"roles", "policies"}),
)
