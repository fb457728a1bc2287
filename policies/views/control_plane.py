"""`aws.eks.Cluster`, `aws.eks.Addon`, and permissions on a whole cluster by access policy or cluster role binding."""

import re
from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import AccessGrant, ControlPlane, EksAddon, Place, Ref
from muster.fleet.resources.iam import ACCESS_GRANT, SERVICE_ACCOUNT
from muster.fleet.resources.ref import SECURITY_GROUP, SUBNET
from muster.policies.views.references import References, block, blocks, boolean, text_list
from muster.unknown import UNKNOWN, UnknownType

_PREFIX_DELEGATION = re.compile(r"""ENABLE_PREFIX_DELEGATION["']?\s*:\s*["']?(\w+)""")


def control_plane(resource: Registration, references: References) -> ControlPlane:
    """Reads an EKS cluster's inputs."""
    network = block(resource.inputs, "vpcConfig")
    return ControlPlane(
        ref=references.ref(resource),
        kubernetes=resource.inputs.get("version"),
        subnets=references.several(network.get("subnetIds"), resource, "vpcConfig", (SUBNET,)),
        place=Place(resource.urn),
        security_groups=references.several(network.get("securityGroupIds"), resource, "vpcConfig", (SECURITY_GROUP,)),
        endpoint_private=_switch(network.get("endpointPrivateAccess"), without=False),
        endpoint_public=_switch(network.get("endpointPublicAccess"), without=True),
        public_networks=_sorted(text_list(network.get("publicAccessCidrs"))),
        logs=_sorted(text_list(resource.inputs.get("enabledClusterLogTypes"))),
        secrets_encrypted=_is_there(resource.inputs.get("encryptionConfig")),
        name=resource.inputs.get("name"),
        authentication=block(resource.inputs, "accessConfig").get("authenticationMode"),
    )


def _switch(value: object, *, without: bool) -> bool | UnknownType:
    """A boolean setting; AWS's default, `without`, if it is unset."""
    setting = boolean(value)
    return without if setting is None else setting


def _is_there(value: object) -> bool | UnknownType:
    """Whether a value is set; unknown for an unknown value."""
    return UNKNOWN if value is UNKNOWN else value is not None


def _sorted(given: tuple[str, ...] | UnknownType) -> tuple[str, ...] | UnknownType:
    return UNKNOWN if given is UNKNOWN else tuple(sorted(given))


def _prefixes(configuration: object) -> bool | UnknownType:
    """Whether an add-on's configuration (JSON or YAML, as in EKS's API) turns prefix delegation on."""
    if configuration is None or configuration is UNKNOWN:
        return UNKNOWN if configuration is UNKNOWN else False
    found = _PREFIX_DELEGATION.search(str(configuration))
    return found is not None and found[1].lower() == "true"


def eks_addon(resource: Registration, references: References) -> EksAddon:
    """Reads an EKS add-on's inputs."""
    return EksAddon(
        ref=references.ref(resource),
        name=resource.inputs.get("addonName", UNKNOWN),
        version=resource.inputs.get("addonVersion"),
        place=Place(resource.urn),
        prefix_delegation=_prefixes(resource.inputs.get("configurationValues")),
    )


ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
BINDING = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding"


def association(resource: Registration, references: References) -> AccessGrant | None:
    """Reads an association of an access policy; None for one that covers only some namespaces."""
    if block(resource.inputs, "accessScope").get("type") == "namespace":
        return None
    policy, principal = resource.inputs.get("policyArn"), text_list(resource.inputs.get("principalArn"))
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
    """The name of a user or a group; for a ServiceAccount, its user name in Kubernetes."""
    name = subject.get("name", "")
    if subject.get("kind") != "ServiceAccount" or name is UNKNOWN:
        return name
    namespace = subject.get("namespace", "default")
    return UNKNOWN if namespace is UNKNOWN else f"{SERVICE_ACCOUNT}{namespace}:{name}"


def _named(resource: Registration, references: References) -> Ref:
    return Ref(ACCESS_GRANT, references.ref(resource).name)
