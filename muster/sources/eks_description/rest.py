"""What a file has and the description does not: each input that nothing reads, and each other resource."""

import json
import re
from collections.abc import Iterator, Mapping

from muster.fleet.registration import EXISTING, Registration
from muster.fleet.resources import NodeGroup
from muster.fleet.resources.ref import CLUSTER, LAUNCH_TEMPLATE, NODE_GROUP
from muster.sources.eks_description.inputs import NO_KEY, inputs_left_out, is_described
from muster.sources.eks_description.parts import Parts
from muster.unknown import UNKNOWN

_ROLE = "aws:iam/role:Role"
_PERMISSIONS = "Muster's nodes have only the permissions to join and to pull images; add-ons have their own roles"
_SILENT = frozenset(
    {
        *("AccessEntry", "AccessPolicyAssociation", "Alias", "CapacityBlockReservation", "CapacityReservation"),
        *("DataRepositoryAssociation", "DefaultNetworkAcl", "DefaultRouteTable", "DefaultSecurityGroup"),
        *("EgressOnlyInternetGateway", "Eip", "EIP", "EipAssociation", "Group", "InternetGateway"),
        *("InternetGatewayAttachment", "InstanceProfile", "MainRouteTableAssociation", "NatGateway"),
        *("NetworkAcl", "NetworkAclRule", "PlacementGroup", "Repository", "Resource", "Route", "RouteTable"),
        *("RouteTableAssociation", "Subnet", "SubnetRouteTableAssociation", "Tag", "VPCGatewayAttachment"),
        *("VPCEndpoint", "VpcEndpoint", "VpcEndpointRouteTableAssociation", "Release"),
    }
)
"""Kinds that a description implies, or that it reads (`network: create` has all of a VPC), in all spellings."""
_REASONS: Mapping[str, str] = {
    "SecurityGroup": "Muster's nodes have the security group of the cluster, and one for EFA",
    "Key": "Muster creates the key of the secrets, or uses that of secrets-key",
    "Role": "Muster creates the roles of the control plane, nodes and add-ons; create those of your pods beside it",
    "Policy": _PERMISSIONS,
    "LaunchTemplate": "no node group of the file uses it",
    "FargateProfile": "Muster runs no pods on Fargate",
    "PodIdentityAssociation": "Muster's add-ons have their own roles; create those of your pods beside it",
    "OpenIdConnectProvider": "Muster's add-ons get their roles through Pod Identity",
    "KeyPair": "create the key pair beside the stack, and set session.key-pair of the group",
    "VpcIpv4CidrBlockAssociation": "a description has one address range, network.create.cidr",
}
"""Kind -> why the description does not have resources of it."""
_SAME: Mapping[str, str] = {
    **dict.fromkeys(("SecurityGroupRule", "SecurityGroupIngressRule", "SecurityGroupEgressRule"), "SecurityGroup"),
    **dict.fromkeys(("SecurityGroupIngress", "SecurityGroupEgress"), "SecurityGroup"),
    **dict.fromkeys(("Policy", "RolePolicy", "RolePolicyAttachment", "PolicyAttachment", "ManagedPolicy"), "Policy"),
}
"""Kinds that one line reports together."""
_USES: Mapping[str, tuple[str, ...]] = {
    CLUSTER: ("roleArn", "encryptionConfig"),
    NODE_GROUP: ("nodeRoleArn",),
    "aws:iam/instanceProfile:InstanceProfile": ("role",),
}
"""Type -> the inputs that name a role or a key of the cluster itself."""
_USUAL_POLICIES = frozenset(
    {
        *("AmazonEKSClusterPolicy", "AmazonEKSVPCResourceController", "AmazonEKSWorkerNodePolicy"),
        *("AmazonEC2ContainerRegistryReadOnly", "AmazonEC2ContainerRegistryPullOnly", "AmazonEKS_CNI_Policy"),
        "AmazonEKSWorkerNodeMinimalPolicy",
    }
)
"""Policies that every EKS cluster needs for its control plane and nodes."""
_NODES_AND_PLANES = re.compile(r"""["'\\](ec2|eks)\.amazonaws\.com""")


def leave_out_the_rest(parts: Parts, tags: Mapping[str, str], *, secrets_key: bool) -> None:
    """Records each input and each resource that the description does not have.

    Args:
        parts: receives the records; the templates of its fleet's groups are described.
        tags: the tags of the description.
        secrets_key: whether the description names the key of the secrets.
    """
    templates = {str(each.template) for each in parts.fleet.of(NodeGroup) if each.template is not None}
    others: dict[str, list[Registration]] = {}
    whole = {each.urn for each in parts.left_out if not each.property}
    for each in parts.registered.values():
        if each.options.get(EXISTING) or each.urn in whole:
            continue
        if is_described(each.type) and (each.type != LAUNCH_TEMPLATE or str(each.ref) in templates):
            for name, why in inputs_left_out(each, tags):
                parts.leave_out(each.urn, name, why)
        elif each.type == _ROLE and _is_usual(each, parts):
            for name in _more_permissions(each):
                parts.leave_out(each.urn, name, _PERMISSIONS)
        elif _is_other(each, parts):
            kind = each.type.rpartition(":")[2]
            others.setdefault(_SAME.get(kind, kind), []).append(each)
    _leave_out_others(parts, others, secrets_key=secrets_key)


def _leave_out_others(parts: Parts, others: dict[str, list[Registration]], *, secrets_key: bool) -> None:
    """One line for the resources of each kind."""
    # The key of the secrets: the control plane names a key that the file creates.
    planes = [each for each in parts.registered.values() if each.type == CLUSTER]
    if not secrets_key and any(each.inputs.get("encryptionConfig") not in (None, []) for each in planes):
        others["Key"] = others.get("Key", [])[1:]
    for kind, listed in others.items():
        if not listed:
            continue
        more = len(listed) - 1
        number = f" (and {more} more like it)" if more else ""
        parts.leave_out(listed[0].urn, "", f"{_REASONS.get(kind, NO_KEY)}{number}")


def _is_other(resource: Registration, parts: Parts) -> bool:
    """Whether a resource is one of a kind that no description has. Children of Muster's components are described."""
    package, _, kind = resource.type.partition(":")
    kind = kind.rpartition(":")[2]
    if package not in ("aws", "aws-native", "kubernetes") or not resource.custom:
        return False
    if "muster:" in resource.urn.rpartition("::")[0] or kind in _SILENT:
        return False
    if kind == "LogGroup":
        return not is_of_control_plane(resource)
    if kind in ("Role", "Key"):
        return not _is_usual(resource, parts)
    if kind in ("RolePolicyAttachment", "PolicyAttachment"):
        arn = resource.inputs.get("policyArn")
        return isinstance(arn, str) and arn.rpartition("/")[2] not in _USUAL_POLICIES
    return True


def _is_usual(resource: Registration, parts: Parts) -> bool:
    """Whether Muster also creates such a role or key."""
    return _is_of_cluster(resource, parts) or _is_of_nodes(resource)


def _more_permissions(role: Registration) -> Iterator[str]:
    """The inputs of a role with permissions that nodes and control planes do not need."""
    managed, inline = (role.inputs.get(key) for key in ("managedPolicyArns", "inlinePolicies"))
    names = (
        [str(each).rpartition("/")[2] for each in managed if each is not UNKNOWN] if isinstance(managed, list) else []
    )
    if not _USUAL_POLICIES.issuperset(names):
        yield "managedPolicyArns"
    if isinstance(inline, list) and inline:
        yield "inlinePolicies"


def is_of_control_plane(log_group: Registration) -> bool:
    """Whether EKS writes the logs of a control plane to a group (EKS user guide, Control plane logs)."""
    names = (log_group.inputs.get("name"), log_group.inputs.get("logGroupName"))
    return any(isinstance(each, str) and each.startswith("/aws/eks/") for each in names)


def _is_of_cluster(resource: Registration, parts: Parts) -> bool:
    """Whether the control plane or a node group uses a role or a key."""
    for each in parts.registered.values():
        for key in _USES.get(each.type, ()):
            given = each.inputs.get(key)
            if resource.urn in each.property_dependencies.get(key, ()):
                return True
            if isinstance(given, str) and given != "" and given == resource.id:
                return True
    return False


def _is_of_nodes(role: Registration) -> bool:
    """Whether EC2 or EKS assumes a role: it is that of the nodes or of the control plane."""
    return bool(_NODES_AND_PLANES.search(json.dumps(role.inputs.get("assumeRolePolicy"), default=str, skipkeys=True)))
