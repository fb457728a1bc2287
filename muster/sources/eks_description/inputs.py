"""The inputs of the described resources that the description does not have: all but those that it describes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import ADDON, AUTO_SCALING_GROUP, CLUSTER, LAUNCH_TEMPLATE, LUSTRE, NODE_GROUP, VPC
from muster.plain_data import mappings_at, scalar_text, value_at
from muster.sources.eks_description import user_data
from muster.unknown import UNKNOWN
from muster.versions import ADDONS, EKS_ADDONS

NO_KEY = "a description has no key for it"
_ONE_SET_OF_TAGS = "every resource of a description has the tags of the cluster: add them under tags"
_NAMES = ("name", "namePrefix", "region", "tagsAll")
_TAKEN: Mapping[str, tuple[str, ...]] = {
    CLUSTER: (
        *(*_NAMES, "version", "enabledClusterLogTypes", "encryptionConfig", "bootstrapSelfManagedAddons"),
        *("vpcConfig", "accessConfig", "roleArn", "tags", "certificateAuthority", "identity"),
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
        "fileSystemTypeVersion",
    ),
    VPC: (
        *(*_NAMES, "cidrBlock", "enableDnsSupport", "enableDnsHostnames", "tags"),
        "enableNetworkAddressUsageMetrics",
    ),
}
"""Type -> the inputs that a description has, or that Muster sets itself. `_values` compares those that Muster sets."""
_WHY: Mapping[tuple[str, str], str] = {
    (CLUSTER, "kubernetesNetworkConfig"): "Muster leaves the service network to EKS",
    (CLUSTER, "upgradePolicy"): "Muster leaves the upgrade policy to EKS",
    (CLUSTER, "zonalShiftConfig"): "Muster does not configure zonal shift",
    (CLUSTER, "computeConfig"): "write groups with provisioned-by: auto-mode instead",
    (CLUSTER, "storageConfig"): "Muster turns it on with EKS Auto Mode, for groups with provisioned-by: auto-mode",
    (CLUSTER, "outpostConfig"): "Muster has no clusters on Outposts",
    (CLUSTER, "remoteNetworkConfig"): "Muster has no hybrid nodes",
    (NODE_GROUP, "releaseVersion"): "EKS chooses the release of the image",
    (NODE_GROUP, "remoteAccess"): "set session.key-pair of the group to log in with a key pair",
}
_OWN_TAGS = re.compile(r"Name|muster:.*|eks:.*|aws:.*|kubernetes\.io/.*|k8s\.io/.*|karpenter\.sh/.*")
_DEFAULTS = (None, "", "default", 0, False)


def is_described(type_: str) -> bool:
    """Whether a description is made from the inputs of resources of a type."""
    return type_ in _TAKEN


def inputs_left_out(resource: Registration, tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The inputs of a described resource that the description does not have, and why.

    Args:
        resource: the resource, of a type of which `is_described` holds.
        tags: the tags of the description.
    """
    yield from _unread(resource)
    yield from _values(resource, tags)


def _unread(resource: Registration) -> Iterator[tuple[str, str]]:
    for name, value in resource.inputs.items():
        if name in _TAKEN[resource.type] or name.startswith("__"):
            continue
        if value is not UNKNOWN and value not in (None, "", [], {}, False) and not _is_empty(value):
            yield name, _WHY.get((resource.type, name), NO_KEY)


def _is_empty(value: Any) -> bool:
    """Whether a block has only empty values, as plans of Terraform write optional ones."""
    if isinstance(value, Mapping):
        return all(_is_empty(each) for each in value.values())
    if isinstance(value, list):
        return all(_is_empty(each) for each in value)
    return value is UNKNOWN or value in _DEFAULTS


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
    elif resource.type == LUSTRE:
        yield from _tags("tags", inputs.get("tags"), tags)
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
        yield "placement", f"{NO_KEY} (placement.{name})"
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
