"""`aws.iam.Role` of machines, with whatever gives it rights, as a judged thing."""

from collections.abc import Iterable, Iterator
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import NodeRole, Place, Ref
from muster.fleet.resources.place import HYPERPOD, NODE_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.reading.unknowns import found_at
from policies.views.policy_document import allowed, services
from policies.views.references import References, blocks, known

ROLE = "aws:iam/role:Role"
_POLICY = "aws:iam/policy:Policy"
_ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
_ATTACHMENTS = "aws:iam/policyAttachment:PolicyAttachment"
_OWN = "aws:iam/rolePolicy:RolePolicy"
_PROFILE = "aws:iam/instanceProfile:InstanceProfile"
OF_ROLES = frozenset({_POLICY, _ATTACHMENT, _ATTACHMENTS, _OWN, _PROFILE, NODE_GROUP, HYPERPOD})
"""Whatever gives a role rights, or acts as it."""

BY_ROLE = {_ATTACHMENT: "role", _ATTACHMENTS: "roles", _OWN: "role", _PROFILE: "role"}
"""What is about roles that it names -> the property that it names them in."""

_USERS = {_PROFILE: "role", NODE_GROUP: "nodeRoleArn", HYPERPOD: "instanceGroups"}
"""Who acts as a role -> the property that it is in."""
_MACHINES = "ec2.amazonaws.com"


def node_role(role: Registration, references: References, others: Iterable[Registration]) -> NodeRole | None:
    """Reads a role that machines act as; none of any other: pods and services have theirs, each for one thing."""
    listed, own = list(others), references.ref(role)
    if _MACHINES not in services(role.inputs.get("assumeRolePolicy")) and not _is_used(own, references, listed):
        return None
    written = {references.ref(each): each for each in listed if each.type == _POLICY}
    attached = list(_attached(role, own, references, listed))
    documents = [written[each].inputs.get("policy") for each in attached if isinstance(each, Ref) and each in written]
    documents += [
        each.inputs.get("policy") for each in listed if each.type == _OWN and _is_about(each, own, references)
    ]
    documents += [found_at(each, "policy") for each in _each(role.inputs.get("inlinePolicies"))]
    read = [allowed(each) for each in documents]
    return NodeRole(
        own,
        Place(role.urn),
        policies=frozenset(each for each in attached if isinstance(each, str)),
        statements=tuple(statement for found, _ in read for statement in found),
        more_policies=any(each is UNKNOWN for each in attached),
        more_statements=any(more for _, more in read),
    )


def _is_used(own: Ref, references: References, listed: list[Registration]) -> bool:
    for each in (one for one in listed if one.type in _USERS):
        name = _USERS[each.type]
        value = each.inputs.get(name)
        if own in references.behind(each, (name,), (ROLE,)):
            return True
        groups = known(blocks(value)) if each.type == HYPERPOD else ()
        named = [group.get("executionRole") for group in groups] or [value]
        if any(isinstance(one, str) and references.of(one, (ROLE,)) == own for one in named):
            return True
    return False


def _each(value: Any) -> list[Any]:
    """What is listed, each known or not."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _is_about(each: Registration, own: Ref, references: References) -> bool:
    return references.one(each.inputs.get("role"), each, "role", (ROLE,)) == own


def _attached(role: Registration, own: Ref, references: References, listed: list[Registration]) -> Iterator[Any]:
    """The managed policies on a role, by ARN, or by reference where the program writes them."""
    yield from map(references.of, _each(role.inputs.get("managedPolicyArns")))
    for each in listed:
        if each.type == _ATTACHMENT:
            about = _is_about(each, own, references)
        elif each.type == _ATTACHMENTS:
            about = own in known(references.several(each.inputs.get("roles"), each, "roles", (ROLE,)))
        else:
            continue
        if about:
            yield references.one(each.inputs.get("policyArn"), each, "policyArn", (_POLICY,))
