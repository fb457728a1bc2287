"""The keys of a ClusterConfig that a description does not have: all but those that it describes."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.document import value_at
from muster.finding import KeyPath
from muster.sources.eks_description.network import WITHOUT_NAT
from muster.sources.eksctl.groups import MANAGED, SELF_MANAGED
from muster.sources.eksctl.images import AL2023, BOTTLEROCKET, family_of
from muster.sources.eksctl.resources import is_given
from muster.unknown import UNKNOWN

_NO_KEY = "a description has no key for it"
_PLACEHOLDER = "the file has a placeholder for it"
_GROUP = "group"
"""Stands for `managedNodeGroups` and `nodeGroups` in the tables below."""
_PODS = "Muster's add-ons have their own roles; create those of your pods beside the stack"
_OF_ADDON = "Muster creates the roles of add-ons"
_TAGS = "every resource of a description has the tags of the cluster: add them under tags"
_MIXED = "a group is on demand or spot: write two groups for a mixture"

_DESCRIBED = frozenset(
    {
        *("apiVersion", "kind", "metadata.name", "metadata.region", "metadata.version", "metadata.tags"),
        *("availabilityZones", "vpc.id", "vpc.cidr", "vpc.subnets", "vpc.nat.gateway", "vpc.clusterEndpoints"),
        *("vpc.publicAccessCIDRs", "accessConfig.accessEntries.principalARN", "accessConfig.accessEntries.type"),
        *("accessConfig.accessEntries.accessPolicies", "secretsEncryption.keyARN", "addons.name"),
        *("accessConfig.authenticationMode", "vpc.controlPlaneOnPrivateSubnets"),
        *("addons.configurationValues", "addonsConfig.disableDefaultAddons", "cloudWatch.clusterLogging"),
        *(
            f"{_GROUP}.{each}"
            for each in (
                *("name", "instanceType", "instanceTypes", "ami", "amiFamily", "desiredCapacity", "minSize"),
                *("maxSize", "volumeSize", "volumeType", "volumeIOPS", "volumeThroughput", "volumeEncrypted"),
                *("volumeName", "availabilityZones", "subnets", "privateNetworking", "efaEnabled", "labels", "taints"),
                *("capacityReservation", "instanceMarketOptions", "spot", "ssh.allow", "ssh.publicKeyName"),
                *("ssh.publicKey", "ssh.publicKeyPath", "securityGroups.attachIDs", "updateConfig"),
                *("nodeRepairConfig.enabled", "placement.groupName", "overrideBootstrapCommand", "ebsOptimized"),
                *("disableIMDSv1", "securityGroups.withShared", "securityGroups.withLocal"),
                *("instancesDistribution.instanceTypes", "instancesDistribution.onDemandPercentageAboveBaseCapacity"),
            )
        ),
    }
)
"""Keys that the description has, or whose effect Muster always has. `_of_value` has the values that differ."""
_WHY: Mapping[str, str] = {
    "fargateProfiles": "Muster runs no pods on Fargate",
    "karpenter": "Muster does not install Karpenter",
    "autoModeConfig": "write groups with provisioned-by: auto-mode instead",
    "remoteNetworkConfig": "Muster has no hybrid nodes",
    "outpost": "Muster has no clusters on Outposts",
    "capabilities": "Muster does not install EKS capabilities",
    "gitops": "Muster does not install Flux",
    "iam.serviceAccounts": _PODS,
    "iam.podIdentityAssociations": _PODS,
    "iam.serviceRoleARN": "Muster creates the role of the control plane",
    "iam.withOIDC": "Muster's add-ons get their roles through Pod Identity, without an OIDC provider",
    "iamIdentityMappings": "Muster uses access entries: add the principals under access",
    "identityProviders": "Muster configures no OIDC identity provider",
    "kubernetesNetworkConfig": "Muster leaves the service network to EKS",
    "upgradePolicy": "Muster leaves the upgrade policy to EKS",
    "zonalShiftConfig": "Muster does not configure zonal shift",
    "controlPlaneScalingConfig": "Muster leaves the tier of the control plane to EKS",
    "localZones": "Muster has no subnets in Local Zones",
    "privateCluster": "Muster creates the endpoints of ECR and S3 only (network.create.registry-endpoints)",
    "vpc.extraCIDRs": "Muster's control plane accepts connections from its VPC only",
    "vpc.extraIPv6CIDRs": "Muster's control plane accepts connections from its VPC only",
    "vpc.controlPlaneSecurityGroupIDs": "EKS creates the security group of Muster's control plane",
    "vpc.controlPlaneSubnetIDs": "Muster's control plane is in the private subnets of the network",
    "vpc.securityGroup": "EKS creates the security group of Muster's control plane",
    "vpc.sharedNodeSecurityGroup": "Muster's nodes have the security group of the cluster",
    "accessConfig.accessEntries.kubernetesGroups": "a description gives access by EKS's policies, without groups",
    "addons.version": "Muster installs the version that it is tested with",
    "addons.attachPolicyARNs": _OF_ADDON,
    "addons.attachPolicy": _OF_ADDON,
    "addons.wellKnownPolicies": _OF_ADDON,
    "addons.serviceAccountRoleARN": _OF_ADDON,
    "addons.podIdentityAssociations": _OF_ADDON,
    "addons.useDefaultPodIdentityAssociations": _OF_ADDON,
    "addons.resolveConflicts": "Muster overwrites what is there when it installs an add-on, and keeps later changes",
    "addons.tags": _TAGS,
    "addonsConfig.autoApplyPodIdentityAssociations": _OF_ADDON,
    "group.additionalVolumes": "a description has one volume for each node",
    "group.asgMetricsCollection": _NO_KEY,
    "group.bottlerocket": "a description has no key for the settings of Bottlerocket",
    "group.clusterDNS": "EKS sets the address of DNS",
    "group.containerRuntime": "EKS's images have containerd",
    "group.disablePodIMDS": "Muster sets the hop limit to 1: only pods in the host network reach the service",
    "group.iam": "Muster's nodes have only the permissions to join and to pull images; add-ons have their own roles",
    "group.instanceSelector": "a group has one instance type: set instance",
    "group.instancesDistribution.onDemandBaseCapacity": _MIXED,
    "group.launchTemplate": "Muster writes the launch template",
    "group.localZones": "Muster has no subnets in Local Zones",
    "group.maxPodsPerNode": "Muster leaves the number of pods to the image",
    **{
        f"group.nodeRepairConfig.{each}": "a description only turns repair on or off: set node-repair of the group"
        for each in (
            *("maxParallelNodesRepairedCount", "maxParallelNodesRepairedPercentage", "nodeRepairConfigOverrides"),
            *("maxUnhealthyNodeThresholdCount", "maxUnhealthyNodeThresholdPercentage"),
        )
    },
    "group.preBootstrapCommands": "a description has no key for commands at boot",
    "group.releaseVersion": "EKS chooses the release of the image",
    "group.tags": _TAGS,
    "group.propagateASGTags": "a description has no tags of groups: set labels and taints of the group",
    "group.volumeKmsKeyID": "the account's default key encrypts volumes",
}
"""Key -> why the description does not have it. Other keys: `_NO_KEY`."""
_WHY_FALSE: Mapping[str, str] = {
    "accessConfig.bootstrapClusterCreatorAdminPermissions": "Muster gives who creates the cluster its administration",
    "group.disableIMDSv1": "Muster requires IMDSv2 on all nodes",
    "group.volumeEncrypted": "Muster encrypts all volumes",
    "group.securityGroups.withShared": "Muster's nodes have the security group of the cluster",
}
"""Switch -> why Muster does not have it off."""


def keys_left_out(config: Mapping[str, Any], whole: frozenset[KeyPath]) -> Iterator[tuple[KeyPath, str]]:
    """The path of each key that a description does not have, and why.

    Args:
        config: the file.
        whole: the paths of what is reported already, with everything below it.
    """
    for key, value in config.items():
        kind = _GROUP if key in (MANAGED, SELF_MANAGED) else key
        yield from _below(value, (key,), kind, whole)


def _below(value: Any, path: KeyPath, key: str, whole: frozenset[KeyPath]) -> Iterator[tuple[KeyPath, str]]:
    why = _of_value(value, key) or (_WHY.get(key) if _has_value(value) else None)
    if path in whole or key in _DESCRIBED | _WHY.keys() or why is not None:
        if why is not None and path not in whole:
            yield path, why
    elif value is UNKNOWN:
        yield path, _PLACEHOLDER if any(each.startswith(f"{key}.") for each in _DESCRIBED) else _NO_KEY
    elif isinstance(value, Mapping) and value:
        for name, each in value.items():
            yield from _below(each, (*path, name), f"{key}.{name}", whole)
    elif isinstance(value, list) and any(isinstance(each, Mapping) or each is UNKNOWN for each in value):
        for index, each in enumerate(value):
            yield from _below(each, (*path, index), key, whole)
    elif is_given(value):
        yield path, _NO_KEY


def _has_value(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_value, value.values()))
    return is_given(value)


def _of_value(value: Any, key: str) -> str | None:
    """Why Muster does not have a value of a key whose other values it has."""
    if value is False:
        return _WHY_FALSE.get(key)
    if key == "vpc.nat.gateway" and value == "Disable":
        return WITHOUT_NAT
    if key == "accessConfig.authenticationMode":
        return None if value == "API" else f"Muster's cluster has access entries only (API), not {value}"
    if key == "group.amiFamily" and isinstance(value, str):
        family = family_of({"amiFamily": value})
        if family not in (AL2023, BOTTLEROCKET):
            return f"Muster's groups start EKS's image al2023, not {value}: set image to change it"
    if key == "group.instancesDistribution.onDemandPercentageAboveBaseCapacity":
        return None if value in (0, 100) else _MIXED
    return None


def override_left_out(config: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """The bootstrap commands of which the description has the array of disks at most."""
    for kind in (MANAGED, SELF_MANAGED):
        groups = config.get(kind)
        for index in range(len(groups) if isinstance(groups, list) else 0):
            path: KeyPath = (kind, index, "overrideBootstrapCommand")
            text = value_at(config, path)
            only_array = isinstance(text, str) and "RAID0" in text and "kubelet" not in text and "#!" not in text
            if text is not None and not only_array:
                yield path, "Muster writes the user data; a group has local-storage for an array of its NVMe disks"
