"""The words of findings, in the keys of a ClusterConfig."""

import re

from muster.edits import Terms
from muster.finding import Finding

KEY_OF_RULE: dict[str, tuple[str, ...]] = {
    "several-interfaces-private-subnets": ("privateNetworking", "efaEnabled"),
    "image-fits-group": ("amiFamily", "instanceType"),
    "instance-type-catalogued": ("instanceType", "instanceTypes"),
    "type-offered-in-zone": ("instanceType", "instanceTypes"),
    "plugin-reaches-its-nodes": ("efaEnabled", "instanceType"),
    "plugin-stays-with-its-devices": ("instanceType", "instanceTypes"),
    "node-role-narrow": ("withAddonPolicies", "attachPolicyARNs"),
}
"""Rule -> the keys below a block that its findings are about, the most exact first."""

_REPLACE = "replace eksctl's DaemonSet with the plugin's chart, with tolerations and an affinity"
_SENTENCES: tuple[tuple[str, str], ...] = (
    (r"\(httpTokens: optional\)", "(disableIMDSv1: false)"),
    (r"amiType (\w+) is", r"the image \1 is"),
    (r"set amiType to AL2023_\w+", "set amiFamily: AmazonLinux2023"),
    (r"set amiType to BOTTLEROCKET_\w+", "set amiFamily: Bottlerocket"),
    (r"set capacityType to ON_DEMAND", "remove spot"),
    (r"user data sets maxPods to (\d+)", r"maxPodsPerNode is \1"),
    (r"set maxPods to (\d+) in user data", r"set maxPodsPerNode: \1"),
    (
        r"make its tolerations and affinity cover the nodes of ([^;]+)",
        rf"remove what keeps its pods away, or {_REPLACE} that cover the nodes of \1",
    ),
    (r"remove [^;]+ from its values", f"{_REPLACE} that selects the nodes with the devices"),
    (
        r"keep only subnets in ([\w-]+) \((?:subnetIds|vpcZoneIdentifiers)\)",
        r"set availabilityZones to [\1] in the group, or one of its subnets",
    ),
    (r"subnets \((?:subnetIds|vpcZoneIdentifiers)\)", "subnets (availabilityZones or subnets of the group)"),
    (r"also attach vpcConfig\.clusterSecurityGroupId to .*", "add the cluster's group to securityGroups.attachIDs"),
    (r"set imageId in the launch template", "set ami and amiFamily"),
)
"""A part of a finding's text, as a pattern -> what to write in eksctl's file instead."""
_KEYS: dict[str, str] = {
    "addonVersion": "version of the add-on",
    "amiType": "amiFamily",
    "associatePublicIpAddress": "privateNetworking",
    "capacityReservationSpecification": "capacityReservation",
    "capacityReservationPreference": "capacityReservation.capacityReservationPreference",
    "capacityReservationTarget.capacityReservationId": (
        "capacityReservation.capacityReservationTarget.capacityReservationID"
    ),
    "capacityReservationTarget.capacityReservationResourceGroupArn": (
        "capacityReservation.capacityReservationTarget.capacityReservationResourceGroupARN"
    ),
    "capacityReservationId": "capacityReservationID",
    "capacityReservationResourceGroupArn": "capacityReservationResourceGroupARN",
    "capacityType": "spot or instanceMarketOptions",
    "cidrBlock": "vpc.cidr",
    "httpTokens": "disableIMDSv1",
    "imageId": "ami",
    "keyName": "ssh",
    "metadataOptions.httpPutResponseHopLimit": "disablePodIMDS",
    "metadataOptions.httpTokens": "disableIMDSv1",
    "mixedInstancesPolicy": "instancesDistribution",
    "networkInterfaces": "efaEnabled",
    "nodeRoleArn": "iam.instanceRoleARN",
    "scalingConfig.desiredSize": "desiredCapacity",
    "scalingConfig.maxSize": "maxSize",
    "scalingConfig.minSize": "minSize",
    "subnetIds": "availabilityZones or subnets",
    "vpcConfig.endpointPublicAccess": "vpc.clusterEndpoints.publicAccess",
    "vpcConfig.publicAccessCidrs": "vpc.publicAccessCIDRs",
    "vpcConfig.subnetIds": "availabilityZones or vpc.subnets",
    "vpcSecurityGroupIds": "securityGroups.attachIDs",
    "vpcZoneIdentifiers": "availabilityZones or subnets",
}
"""The engine's property -> eksctl's key."""
_NAMED = re.compile(
    r"(?<![\w.])(?:" + "|".join(re.escape(each) for each in sorted(_KEYS, key=len, reverse=True)) + r")(?![\w.]*\w)"
)


def keys_of(finding: Finding) -> tuple[str, ...]:
    """The keys below a block that a finding may be about, the most exact first."""
    return KEY_OF_RULE.get(finding.rule) or tuple(TERMS.key(finding.property).split(" or "))


def words(text: str) -> str:
    """A text with eksctl's keys in place of the engine's properties."""
    for form, ours in _SENTENCES:
        text = re.sub(form, ours, text)  # pattern: on a text of a finding, which is short
    return _NAMED.sub(lambda found: _KEYS[found[0]], text)


_EDITS = {
    "set metadataOptions.httpPutResponseHopLimit to 1": "set disablePodIMDS: true, which iam.withAddonPolicies "
    "excludes",
    "set metadataOptions.httpTokens to required": "set disableIMDSv1: true",
    "set capacityType to ON_DEMAND": "remove spot",
    "set networkInterfaces to interfaces without EFA": "remove efaEnabled",
    "set subnetIds to private subnets with a route to a NAT gateway": "set privateNetworking: true",
    "set vpcZoneIdentifiers to private subnets with a route to a NAT gateway": "set privateNetworking: true",
}
TERMS = Terms(
    key=lambda name: _KEYS.get(name, name),
    document="file",
    deploy="the deployment",
    later="not in the file",
    edits=_EDITS,
)
