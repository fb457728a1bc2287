"""What a file has and the description does not: each input that nothing reads, and each other resource."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.fleet.registration import EXISTING, Registration
from muster.fleet.resources import NodeGroup
from muster.fleet.resources.ref import (
    ADDON,
    AUTO_SCALING_GROUP,
    CLUSTER,
    LAUNCH_TEMPLATE,
    LUSTRE,
    NODE_GROUP,
    VPC,
)
from muster.plain_data import mappings_at, scalar_text, value_at
from muster.sources.eks_description import user_data
from muster.sources.eks_description.parts import Parts
from muster.unknown import UNKNOWN
from muster.versions import ADDONS, EKS_ADDONS

_NO_KEY = "a description has no key for it"
_ONE_SET_OF_TAGS = "every resource of a description has the tags of the cluster: add them under tags"
_NAMES = ("name", "namePrefix", "region", "tagsAll")
_TAKEN: Mapping[str, tuple[str, ...]] = {
    CLUSTER: (
        *(*_NAMES, "version", "enabledClusterLogTypes", "encryptionConfig", "bootstrapSelfManagedAddons"),
        *("vpcConfig", "accessConfig", "roleArn", "tags", "certificateAuthority", "identity", "deletionProtection"),
    ),
    NODE_GROUP: (
        *(*_NAMES, "clusterName", "nodeGroupName", "nodeGroupNamePrefix", "scalingConfig", "labels", "taints"),
        *("updateConfig", "nodeRepairConfig", "capacityType", "launchTemplate", "amiType", "diskSize", "subnetIds"),
        *("instanceTypes", "version", "nodeRoleArn", "tags", "nodegroupName", "nodeRole", "subnets"),
    ),
    AUTO_SCALING_GROUP: (
        *(*_NAMES, "vpcZoneIdentifiers", "tags", "minSize", "maxSize", "desiredCapacity", "launchTemplate"),
        *("mixedInstancesPolicy", "waitForCapacityTimeout", "suspendedProcesses", "serviceLinkedRoleArn"),
        *("desiredCapacityType", "healthCheckGracePeriod", "metricsGranularity", "forceDelete"),
    ),
    LAUNCH_TEMPLATE: (
        *(*_NAMES, "description", "updateDefaultVersion", "defaultVersion", "tags", "tagSpecifications"),
        *("metadataOptions", "instanceType", "blockDeviceMappings", "networkInterfaces", "userData", "placement"),
        *("capacityReservationSpecification", "instanceMarketOptions", "iamInstanceProfile", "imageId", "keyName"),
        *("vpcSecurityGroupIds", "ebsOptimized"),
    ),
    ADDON: (
        *(*_NAMES, "addonName", "clusterName", "addonVersion", "configurationValues", "tags", "preserve"),
        *("resolveConflictsOnCreate", "resolveConflictsOnUpdate", "podIdentityAssociations"),
        *("serviceAccountRoleArn", "resolveConflicts"),
    ),
    LUSTRE: (
        *(*_NAMES, "storageCapacity", "deploymentType", "storageType", "dataCompressionType", "efaEnabled"),
        *("perUnitStorageThroughput", "throughputCapacity", "metadataConfiguration", "driveCacheType", "kmsKeyId"),
        *("automaticBackupRetentionDays", "importPath", "subnetIds", "securityGroupIds", "tags", "skipFinalBackup"),
        *("fileSystemTypeVersion", "dataReadCacheConfiguration", "autoImportPolicy", "exportPath"),
    ),
    VPC: (
        *(*_NAMES, "cidrBlock", "enableDnsSupport", "enableDnsHostnames", "tags", "instanceTenancy"),
        "enableNetworkAddressUsageMetrics",
    ),
}
"""Type -> the inputs that a description has, or that Muster sets itself. `_values` compares those that Muster sets."""
_WHY: Mapping[tuple[str, str], str] = {
    (CLUSTER, "kubernetesNetworkConfig"): "Muster leaves the service network to EKS",
    (CLUSTER, "upgradePolicy"): "Muster leaves the upgrade policy to EKS",
    (CLUSTER, "zonalShiftConfig"): "Muster does not configure zonal shift",
    (CLUSTER, "computeConfig"): "Muster does not use EKS Auto Mode: add groups",
    (CLUSTER, "storageConfig"): "Muster does not use EKS Auto Mode: add the add-ons for storage under addons",
    (CLUSTER, "outpostConfig"): "Muster has no clusters on Outposts",
    (CLUSTER, "remoteNetworkConfig"): "Muster has no hybrid nodes",
    (NODE_GROUP, "releaseVersion"): "EKS chooses the release of the image",
    (NODE_GROUP, "remoteAccess"): "set session.key-pair of the group to log in with a key pair",
}
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
_USUAL_POLICIES = frozenset(
    {
        *("AmazonEKSClusterPolicy", "AmazonEKSVPCResourceController", "AmazonEKSWorkerNodePolicy"),
        *("AmazonEC2ContainerRegistryReadOnly", "AmazonEC2ContainerRegistryPullOnly", "AmazonEKS_CNI_Policy"),
        *("AmazonSSMManagedInstanceCore", "AmazonEKSWorkerNodeMinimalPolicy", "AmazonEBSCSIDriverPolicy"),
    }
)
"""Policies that every EKS cluster needs for its control plane, nodes and drivers."""
_OWN_TAGS = re.compile(r"Name|muster:.*|eks:.*|aws:.*|kubernetes\.io/.*|k8s\.io/.*|karpenter\.sh/.*")
_NODES_AND_PLANES = re.compile(r"""["'\\](ec2|eks)\.amazonaws\.com""")
_DEFAULTS = (None, "", "default", 0, False)


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
        if each.type in _TAKEN and (each.type != LAUNCH_TEMPLATE or str(each.ref) in templates):
            for name, why in (*_unread(each), *_values(each, tags)):
                parts.leave_out(each.urn, name, why)
        elif _is_other(each, parts):
            kind = each.type.rpartition(":")[2]
            others.setdefault(_SAME.get(kind, kind), []).append(each)
    # The key of the secrets: the control plane names a key that the file creates.
    if any(each.inputs.get("encryptionConfig") for each in parts.registered.values() if each.type == CLUSTER):
        others["Key"] = others.get("Key", [])[1:] if not secrets_key else others.get("Key", [])
    for kind, listed in others.items():
        if not listed:
            continue
        more = len(listed) - 1
        number = f" (and {more} more like it)" if more else ""
        parts.leave_out(listed[0].urn, "", f"{_REASONS.get(kind, _NO_KEY)}{number}")


def _unread(resource: Registration) -> Iterator[tuple[str, str]]:
    for name, value in resource.inputs.items():
        if name in _TAKEN[resource.type] or name.startswith("__"):
            continue
        if value is not UNKNOWN and value not in (None, "", [], {}, False) and not _is_empty(value):
            yield name, _WHY.get((resource.type, name), _NO_KEY)


def _is_empty(value: Any) -> bool:
    """Whether a block has only empty values, as plans of Terraform write optional ones."""
    if isinstance(value, Mapping):
        return all(_is_empty(each) for each in value.values())
    if isinstance(value, list):
        return all(_is_empty(each) for each in value)
    return value is UNKNOWN or value in _DEFAULTS


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
        return not (_is_of_cluster(resource, parts) or _is_of_nodes(resource))
    if kind in ("RolePolicyAttachment", "PolicyAttachment"):
        arn = resource.inputs.get("policyArn")
        return isinstance(arn, str) and arn.rpartition("/")[2] not in _USUAL_POLICIES
    return True


def is_of_control_plane(log_group: Registration) -> bool:
    """Whether EKS writes the logs of a control plane to a group (EKS user guide, Control plane logs)."""
    name = log_group.inputs.get("name") or log_group.inputs.get("logGroupName")
    return isinstance(name, str) and name.startswith("/aws/eks/")


def _is_of_cluster(resource: Registration, parts: Parts) -> bool:
    """Whether the control plane or a node group uses a role or a key."""
    keys = ("roleArn", "nodeRoleArn", "encryptionConfig", "role", "nodeRole")
    for each in parts.registered.values():
        for key in keys:
            if resource.urn in each.property_dependencies.get(key, ()):
                return True
            given = each.inputs.get(key) if each.type in (CLUSTER, NODE_GROUP) else None
            if given is not None and given is not UNKNOWN and resource.id and given == resource.id:
                return True
    return False


def _is_of_nodes(role: Registration) -> bool:
    """Whether EC2 or EKS assumes a role: it is that of the nodes or of the control plane."""
    return bool(_NODES_AND_PLANES.search(json.dumps(role.inputs.get("assumeRolePolicy"), default=str, skipkeys=True)))


def _values(resource: Registration, tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The inputs that Muster sets itself, if the file has other values."""
    inputs = resource.inputs
    if resource.type == CLUSTER:
        yield from _of_cluster(inputs)
    elif resource.type == NODE_GROUP:
        role, made = inputs.get("nodeRoleArn"), resource.property_dependencies.get("nodeRoleArn")
        if isinstance(role, str) and role.startswith("arn:") and not made:
            yield "nodeRoleArn", "Muster creates the role of the nodes"
        yield from _tags("tags", inputs.get("tags"), tags)
    elif resource.type == AUTO_SCALING_GROUP:
        listed = mappings_at(inputs, "tags")
        yield from _tags("tags", {str(each.get("key")): each.get("value") for each in listed}, tags)
        base = value_at(inputs, "mixedInstancesPolicy", "instancesDistribution")
        for key in ("onDemandBaseCapacity", "onDemandPercentageAboveBaseCapacity"):
            usual = (None, UNKNOWN, 0) if key == "onDemandBaseCapacity" else (None, UNKNOWN, 0, 100)
            if isinstance(base, Mapping) and base.get(key) not in usual:
                yield "mixedInstancesPolicy", "a group is on demand or spot: write two groups for a mixture"
    elif resource.type == LAUNCH_TEMPLATE:
        yield from _of_template(inputs, tags)
    elif resource.type == ADDON:
        yield from _of_addon(inputs)


def _of_cluster(inputs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    groups = value_at(inputs, "vpcConfig", "securityGroupIds")
    if isinstance(groups, list) and groups:
        yield "vpcConfig.securityGroupIds", "EKS creates the security group of Muster's control plane"
    mode = value_at(inputs, "accessConfig", "authenticationMode")
    if isinstance(mode, str) and mode != "API":
        yield "accessConfig.authenticationMode", f"Muster's cluster has access entries only (API), not {mode}"


def _of_addon(inputs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    version, name = inputs.get("addonVersion"), inputs.get("addonName")
    tested = {each.get(str(name)) for each in EKS_ADDONS.values()} | {each.version for each in ADDONS.values()}
    if isinstance(version, str) and version and version not in tested:
        yield "addonVersion", "Muster installs the version that it is tested with"
    role = inputs.get("serviceAccountRoleArn")
    if isinstance(role, str) and role:
        yield "serviceAccountRoleArn", "Muster creates the roles of add-ons"


def _of_template(inputs: Mapping[str, Any], tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    metadata = value_at(inputs, "metadataOptions")
    if isinstance(metadata, Mapping):
        for key, ours in (("httpTokens", "required"), ("httpPutResponseHopLimit", 1), ("httpEndpoint", "enabled")):
            given = metadata.get(key)
            if given not in (None, UNKNOWN, "", ours, str(ours)):
                yield f"metadataOptions.{key}", f"Muster sets it to {ours}"
    yield from _user_data(inputs.get("userData"))
    yield from _volumes(inputs)
    for nic in mappings_at(inputs, "networkInterfaces"):
        for key in ("privateIpAddress", "networkInterfaceId", "subnetId"):
            if nic.get(key) not in (None, "", UNKNOWN):
                yield "networkInterfaces", f"Muster sets no {key} of interfaces"
    for name in _set(value_at(inputs, "placement"), ("groupName", "groupId")):
        yield "placement", f"{_NO_KEY} (placement.{name})"
    profile = inputs.get("iamInstanceProfile")
    named = (profile.get("arn"), profile.get("name")) if isinstance(profile, Mapping) else ()
    if any(isinstance(each, str) and each.startswith("arn:") for each in named):
        yield "iamInstanceProfile", "Muster creates the role of the nodes"
    for each in mappings_at(inputs, "tagSpecifications"):
        yield from _tags("tagSpecifications", each.get("tags"), tags)


def _volumes(inputs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for disk in mappings_at(inputs, "blockDeviceMappings"):
        key = value_at(disk, "ebs", "kmsKeyId")
        if key not in (None, ""):
            yield "blockDeviceMappings", "the account's default key encrypts the volumes (ebs.kmsKeyId)"
        if value_at(disk, "ebs", "snapshotId") not in (None, "", UNKNOWN):
            yield "blockDeviceMappings", "Muster creates volumes without a snapshot (ebs.snapshotId)"
        if scalar_text(value_at(disk, "ebs", "encrypted")) == "false":
            yield "blockDeviceMappings", "Muster encrypts all volumes"


def _set(block: Any, taken: Iterable[str]) -> list[str]:
    """The keys of a block that have a value of their own."""
    if not isinstance(block, Mapping):
        return []
    return [key for key, value in block.items() if key not in taken and not _is_empty(value)]


def _user_data(data: Any) -> Iterator[tuple[str, str]]:
    if not user_data.is_described(data):
        yield "userData", user_data.WHY


def _tags(name: str, given: Any, ours: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    kept = own_tags(given)
    if any(ours.get(key) != value for key, value in kept.items()):
        yield name, _ONE_SET_OF_TAGS


def own_tags(given: Any) -> dict[str, str]:
    """The tags that a user chose, without names and those of AWS, Kubernetes and Muster."""
    if not isinstance(given, Mapping):
        return {}
    return {
        str(key): str(value)
        for key, value in given.items()
        if isinstance(value, str) and isinstance(key, str) and not _OWN_TAGS.fullmatch(key)
    }
