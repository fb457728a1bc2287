"""IAM policy documents, and `aws.iam.Role` of machines with everything that gives it permissions."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from muster.fleet.policy_documents import allows, services, statements_of
from muster.fleet.registration import Registration
from muster.fleet.resources import NodeRole, Place, Statement
from muster.fleet.resources.ref import HYPERPOD, INSTANCE_PROFILE, NODE_GROUP, ROLE
from muster.plain_data import as_list, mappings_at, value_at
from muster.policies.views.view import Properties, Reader
from muster.unknown import UNKNOWN, if_known

EVERYONE = "*"


def allowed(document: Any) -> tuple[tuple[Statement, ...], bool]:
    """What a document allows, in its order, as far as it is known; and whether something is unknown."""
    listed = statements_of(document)
    read = [_statement(each) for each in listed if allows(each)]
    return tuple(found for found, _ in read), any(more for _, more in read) or UNKNOWN in listed


def _statement(document: Mapping[str, Any]) -> tuple[Statement, bool]:
    """A statement, and whether it has actions that are not known yet. A resource that is not known is a resource of the
    program, so it counts as a named one."""
    given = [EVERYONE] if "NotAction" in document else as_list(document.get("Action"))
    resources = as_list(document.get("Resource", EVERYONE if "NotResource" in document else []))
    actions = frozenset(str(each) for each in given if each is not UNKNOWN)
    named = frozenset("" if each is UNKNOWN else str(each) for each in resources)
    return Statement(actions, named), UNKNOWN in given or document.get("NotAction") is UNKNOWN


POLICY = "aws:iam/policy:Policy"
_ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
_ATTACHMENTS = "aws:iam/policyAttachment:PolicyAttachment"
_OWN = "aws:iam/rolePolicy:RolePolicy"

_USERS = {INSTANCE_PROFILE: "role", NODE_GROUP: "nodeRoleArn", HYPERPOD: "instanceGroups"}
"""Type that uses a role -> the property with the role."""
_MACHINES = "ec2.amazonaws.com"


def node_role(of: Properties) -> NodeRole | None:
    """Reads a role that machines assume; None for the roles of pods and services, each of which is for one purpose."""
    if _MACHINES not in services(of.raw("assumeRolePolicy")) and not any(
        _uses(each, of) for each in of.others(*_USERS)
    ):
        return None
    attached = list(_attached(of))
    written = [of.references.resource(each) for each in attached]
    documents = [each.inputs.get("policy") for each in written if each and each.type == POLICY]
    documents += [each.raw("policy") for each in of.others(_OWN) if each.named("role", ROLE) == of.ref]
    documents += [value_at(each, "policy") for each in as_list(of.raw("inlinePolicies"))]
    read = [allowed(each) for each in documents]
    return NodeRole(
        of.ref,
        Place(of.resource.urn),
        policies=frozenset(each for each in attached if isinstance(each, str)),
        statements=tuple(statement for found, _ in read for statement in found),
        boundary=of.raw("permissionsBoundary"),
        more_policies=any(each is UNKNOWN for each in attached),
        more_statements=any(more for _, more in read),
    )


def role_names(user: Registration, name: str) -> Any:
    """What the property of a resource names as its role; for a HyperPod cluster, its groups' roles."""
    value = user.inputs.get(name)
    groups = mappings_at(user.inputs, name) if user.type == HYPERPOD else ()
    return [each.get("executionRole") for each in groups] or value


def _uses(user: Properties, role: Properties) -> bool:
    name = _USERS[user.resource.type]
    named = (each for each in as_list(role_names(user.resource, name)) if isinstance(each, str))
    return role.ref in user.behind((name,), ROLE) or any(
        role.references.of(each, (ROLE,)) == role.ref for each in named
    )


def _attached(of: Properties) -> Iterator[Any]:
    """The managed policies on a role, by ARN, or by reference if the program creates them."""
    yield from (of.references.of(each, (POLICY,)) for each in as_list(of.raw("managedPolicyArns")))
    for each in of.others(_ATTACHMENT, _ATTACHMENTS):
        roles = if_known(partial(each.several, "roles", ROLE), ())
        if of.ref in (each.named("role", ROLE), *roles):
            yield each.named("policyArn", POLICY)


VIEWS: Mapping[str, Reader] = {ROLE: node_role}
BESIDE = {ROLE: {**_USERS, _ATTACHMENT: "role", _ATTACHMENTS: "roles", _OWN: "role"}}
