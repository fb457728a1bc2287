"""Rights on a whole cluster, by an access policy of EKS or by a binding of Kubernetes, as judged things."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import AccessGrant, Place, Ref
from muster.fleet.resources.identity import ACCESS_GRANT, SERVICE_ACCOUNT
from muster.fleet.unknown import UNKNOWN
from policies.views.references import References, block, blocks, texts

ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
BINDING = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding"


def association(resource: Registration, references: References) -> AccessGrant | None:
    """Reads an association of an access policy; none of one that is for some namespaces."""
    if block(resource.inputs, "accessScope").get("type") == "namespace":
        return None
    policy, principal = resource.inputs.get("policyArn"), texts(resource.inputs.get("principalArn"))
    rights = policy if policy is UNKNOWN else str(policy).rpartition("/")[2]
    return AccessGrant(_named(resource, references), principal, rights, Place(resource.urn))


def binding(resource: Registration, references: References) -> AccessGrant:
    """Reads a binding of a cluster role."""
    subjects = blocks(resource.inputs.get("subjects"))
    who = UNKNOWN if subjects is UNKNOWN else tuple(map(_who, subjects))
    rights = block(resource.inputs, "roleRef").get("name", "")
    if who is not UNKNOWN and UNKNOWN in who:
        who = UNKNOWN
    return AccessGrant(_named(resource, references), who, rights, Place(resource.urn))


def _who(subject: Mapping[str, Any]) -> Any:
    """A user or a group by its name, a ServiceAccount as Kubernetes' own user name has it."""
    name = subject.get("name", "")
    if subject.get("kind") != "ServiceAccount" or name is UNKNOWN:
        return name
    namespace = subject.get("namespace", "default")
    return UNKNOWN if namespace is UNKNOWN else f"{SERVICE_ACCOUNT}{namespace}:{name}"


def _named(resource: Registration, references: References) -> Ref:
    return Ref(ACCESS_GRANT, references.ref(resource).name)
