"""Writes the description of the cluster that eksctl creates from a ClusterConfig."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.fleet.resources.ref import AUTO_SCALING_GROUP, NODE_GROUP, SUBNET
from muster.sources.eks_description import Hints, describe_cluster
from muster.sources.eksctl.groups import MANAGED, SELF_MANAGED
from muster.sources.eksctl.network import PRIVATE, PUBLIC
from muster.sources.eksctl.reader import read_resources
from muster.sources.eksctl.resources import Resources, at_path, block, is_given, is_on, items
from muster.sources.eksctl.words import words
from muster.sources.source import ImportedDescription, InputFile, LeftOut
from muster.unknown import UNKNOWN

_REGION = "us-west-2"
"""The Region of placeholder zones, if the file has none (eksctl's `DefaultRegion`)."""
_DISK_ARRAY = ("RAID0", "raid0", "setup-local-disks")

_WHY_NOT: Mapping[KeyPath, str] = {
    ("fargateProfiles",): "Muster runs no pods on Fargate",
    ("karpenter",): "Muster does not install Karpenter",
    ("autoModeConfig",): "Muster's groups have nodes of their own, not those of EKS Auto Mode",
    ("remoteNetworkConfig",): "Muster has no hybrid nodes",
    ("outpost",): "Muster has no clusters on Outposts",
    ("capabilities",): "Muster does not install EKS capabilities",
    ("gitops",): "Muster does not install Flux",
    ("iam", "serviceAccounts"): "Muster's add-ons have their own roles; create those of your pods beside the stack",
    ("iam", "podIdentityAssociations"): "Muster's add-ons have their own roles; create those of your pods beside it",
    ("iam", "serviceRoleARN"): "Muster creates the role of the control plane",
    ("iamIdentityMappings",): "Muster uses access entries; add the principals under access",
    ("identityProviders",): "Muster configures no OIDC identity provider",
    ("kubernetesNetworkConfig",): "Muster leaves the service network to EKS",
    ("upgradePolicy",): "Muster leaves the upgrade policy to EKS",
    ("zonalShiftConfig",): "Muster does not configure zonal shift",
    ("controlPlaneScalingConfig",): "Muster leaves the tier of the control plane to EKS",
    ("localZones",): "Muster has no subnets in Local Zones",
    ("privateCluster",): "Muster does not create the endpoints of a VPC without internet access",
    ("vpc", "extraCIDRs"): "Muster's control plane accepts its VPC",
    ("vpc", "controlPlaneSecurityGroupIDs"): "EKS creates the security group of Muster's control plane",
    ("vpc", "securityGroup"): "EKS creates the security group of Muster's control plane",
    ("vpc", "sharedNodeSecurityGroup"): "Muster's nodes have the security group of the cluster",
    ("secretsEncryption",): "",
    ("cloudWatch", "clusterLogging", "logRetentionInDays"): "",
}
"""Keys without a place in a description -> why. An empty reason: the description has the key itself."""
_WHY_NOT_OF_GROUP: Mapping[str, str] = {
    "additionalVolumes": "a description has one volume for each node",
    "asgMetricsCollection": "no key has it",
    "asgSuspendProcesses": "no key has it",
    "bottlerocket": "no key has the settings of Bottlerocket",
    "classicLoadBalancerNames": "no key has it",
    "clusterDNS": "EKS sets the address of DNS",
    "containerRuntime": "EKS's images have containerd",
    "cpuCredits": "no key has it",
    "disablePodIMDS": "Muster always sets the hop limit to 1",
    "enableDetailedMonitoring": "no key has it",
    "iam": "Muster's nodes have only the permissions to join and to pull images; add-ons have their own roles",
    "instanceName": "no key has it",
    "instancePrefix": "no key has it",
    "instanceSelector": "a group has one instance type",
    "kubeletExtraConfig": "no key has it",
    "launchTemplate": "Muster writes the launch template",
    "localZones": "Muster has no subnets in Local Zones",
    "maxInstanceLifetime": "no key has it",
    "maxPodsPerNode": "Muster leaves the number of pods to the image",
    "preBootstrapCommands": "no key has commands at boot",
    "releaseVersion": "EKS chooses the release of the image",
    "tags": "tags are those of the cluster, under tags",
    "targetGroupARNs": "no key has it",
    "volumeKmsKeyID": "the account's default key encrypts volumes",
}


def describe(file: InputFile, region: str | None = None) -> ImportedDescription:
    """The description of the cluster that eksctl creates.

    Raises:
        CannotBeRead: eksctl refuses the file.
    """
    resources = read_resources(file)
    config = resources.config
    own = block(config, "metadata").get("region")
    known = region or (own if isinstance(own, str) else None)
    found = describe_cluster(resources.program.registrations, region=known or _REGION, hints=_hints(resources))
    cluster = dict(found.cluster)
    _add_own(resources, cluster)
    left = [LeftOut(*_where(resources, each.urn, each.property), words(each.why)) for each in found.left_out] + list(
        _left_out(resources)
    )
    return ImportedDescription(
        "eks", known, cluster, tuple(sorted(set(left))), name=resources.name, placeholders=found.placeholders
    )


def _hints(resources: Resources) -> Hints:
    """The tiers of subnets, local storage and autoscaling: eksctl states them, resources do not."""
    tiers, arrays, scaled, group_tiers = {}, {}, set(), {}
    for each in resources.program.registrations:
        path = resources.paths.get(each.urn, ())
        if each.type == SUBNET:
            named = path[2] if path[:2] == ("vpc", "subnets") else each.name.split(" ")[0]
            tiers[each.urn] = PUBLIC if named == PUBLIC else PRIVATE
        if each.type in (NODE_GROUP, AUTO_SCALING_GROUP):
            group = at_path(resources.config, path)
            text = group.get("overrideBootstrapCommand")
            commands = [*items(group, "preBootstrapCommands"), text]
            arrays[each.urn] = any(isinstance(one, str) and word in one for one in commands for word in _DISK_ARRAY)
            if is_on(block(block(group, "iam"), "withAddonPolicies").get("autoScaler")):
                scaled.add(each.urn)
            private = group.get("privateNetworking", False)
            group_tiers[each.urn] = PRIVATE if private is UNKNOWN or private else PUBLIC
    return Hints(tiers=tiers, local_storage=arrays, autoscaled=frozenset(scaled), group_tiers=group_tiers)


def _add_own(resources: Resources, cluster: dict[str, Any]) -> None:
    """What no registered resource has: the tags, and how long logs are kept."""
    tags = block(resources.config, "metadata").get("tags")
    kept = {key: each for key, each in (tags if isinstance(tags, Mapping) else {}).items() if each is not UNKNOWN}
    if kept:
        cluster["tags"] = kept
    logging = block(block(resources.config, "cloudWatch"), "clusterLogging")
    days = logging.get("logRetentionInDays")
    if isinstance(days, int):
        cluster["logs"] = {**cluster.get("logs", {}), "retention-days": days}


def _where(resources: Resources, urn: str, property_: str) -> tuple[str, Any]:
    """The path in the file of a property of a resource, and its position."""
    path = resources.paths.get(urn, ())
    named = words(property_).split(" ")[0] if property_ and urn else ""
    shown = f"{dotted_path(path)}.{named}" if named and path else dotted_path(path) or property_
    return shown, resources.file.position(path, resources.document)


def _left_out(resources: Resources) -> Iterator[LeftOut]:
    for path, why in _WHY_NOT.items():
        if why and is_given(at_path(resources.config, path)):
            yield LeftOut(dotted_path(path), resources.file.position(path, resources.document), why)
    for kind in (MANAGED, SELF_MANAGED):
        for index, group in enumerate(items(resources.config, kind)):
            for key, why in _WHY_NOT_OF_GROUP.items():
                if group is not UNKNOWN and is_given(group.get(key)):
                    path = (kind, index, key)
                    yield LeftOut(dotted_path(path), resources.file.position(path, resources.document), why)
            yield from _override(resources, group, (kind, index, "overrideBootstrapCommand"))
    for gap in resources.gaps:
        if "does not know" in gap.missing:
            yield LeftOut(gap.where, resources.file.position((), resources.document), gap.missing)


def _override(resources: Resources, group: Any, path: KeyPath) -> Iterator[LeftOut]:
    """A bootstrap command of which the description has the disk array at most."""
    text = None if group is UNKNOWN else group.get("overrideBootstrapCommand")
    if text is None:
        return
    only_array = isinstance(text, str) and "RAID0" in text and "kubelet" not in text and "#!" not in text
    if not only_array:
        why = "Muster writes the user data; a description has local-storage for the array of disks"
        yield LeftOut(dotted_path(path), resources.file.position(path, resources.document), why)
