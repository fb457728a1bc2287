"""Existing roles: whom they trust, and whether they allow what their use needs; and managed policies of the account."""

from collections.abc import Iterator, Mapping, Sequence
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

_ROLES = (ResourceKind.ROLE, ResourceKind.INSTANCE_PROFILE)


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    named = [each for each in find_references(wanted.blueprint.described) if not each.blank]
    roles = [each for each in named if each.kind in _ROLES]
    policies = [each.id for each in named if each.kind is ResourceKind.POLICY]
    if not roles and not policies:
        return Facts()
    answers = yield [*map(_read, roles), *map(_policy, policies)]
    read = dict(zip(roles, answers, strict=False))
    asked = [question for each in roles if (found := _role_in(read[each])) for question in _asked(each, found["Arn"])]
    told = dict(zip((each.about for each in asked), (yield asked) if asked else (), strict=True))
    return Facts(
        roles={each.id: _facts(each, read[each], told.get(_about(each))) for each in roles if read[each].answered},
        policies={
            arn: PolicyFacts(exists=not answer.absent)
            for arn, answer in zip(policies, answers[len(roles) :], strict=True)
            if answer.answered
        },
    )


def _read(reference: ResourceReference) -> Query:
    name, of = role_name(reference.id), reference.id
    if is_profile(of):
        needs = ("InstanceProfile.Roles",)
        return Query("iam", "GetInstanceProfile", of, {"InstanceProfileName": name}, _ABSENT, needs=needs)
    return Query("iam", "GetRole", of, {"RoleName": name}, _ABSENT, needs=("Role.Arn",))


def _policy(arn: str) -> Query:
    return Query("iam", "GetPolicy", f"policy {arn}", {"PolicyArn": arn}, _ABSENT, needs=("Policy.Arn",))


def _role_in(answer: Answer) -> Mapping[str, Any] | None:
    """The role in an answer: an instance profile has at most one."""
    result = answer.result or {}
    listed: Sequence[Mapping[str, Any]] = result.get("InstanceProfile", {}).get("Roles", ())
    found: Mapping[str, Any] | None = result.get("Role") or next(iter(listed), None)
    return found


def _about(reference: ResourceReference) -> str:
    return f"permissions of {reference.id}"


def _asked(reference: ResourceReference, arn: str) -> Iterator[Query]:
    if actions := sorted({action for use in reference.uses for action in use.actions}):
        parameters = {"PolicySourceArn": arn, "ActionNames": actions}
        yield Query("iam", "SimulatePrincipalPolicy", _about(reference), parameters, needs=SIMULATION_NEEDS)


def _facts(reference: ResourceReference, answer: Answer, simulation: Answer | None) -> RoleFacts:
    found = _role_in(answer)
    # A role of that name with another path is another role.
    if found is None or (not is_profile(reference.id) and found["Arn"] != reference.id):
        return RoleFacts(exists=False if found or answer.absent else None)
    document = found.get("AssumeRolePolicyDocument")
    return RoleFacts(
        exists=True,
        role=found["Arn"],
        trusts=None if document is None else tuple(sorted(services(document))),
        allowed=simulated(simulation) if simulation else {},
    )


ROLES = Topic(
    "roles",
    "Existing IAM roles, instance profiles and policies: whether they exist, which services the roles trust, and "
    "whether they allow what their use needs.",
    _inquire,
    frozenset({"roles", "policies"}),
)
