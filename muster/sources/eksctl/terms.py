"""How a ClusterConfig names what Pulumi's resources have, and the keys that a finding is about."""

from muster.config.description.node_settings import Family
from muster.edits import Terms
from muster.finding import Finding
from muster.hardware.ami import AMI_TYPES

_KEYS_OF_RULE: dict[str, tuple[str, ...]] = {
    "several-interfaces-private-subnets": ("privateNetworking", "efaEnabled"),
    "type-offered-in-zone": ("instanceType", "instanceTypes"),
    "plugin-reaches-its-nodes": ("efaEnabled", "instanceType"),
    "plugin-stays-with-its-devices": ("instanceType", "instanceTypes"),
    "node-role-narrow": ("withAddonPolicies", "attachPolicyARNs"),
}
"""Rule -> the keys below a block that its findings are about, where eksctl has a switch instead of the property."""

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
    "capacityType": "spot or instanceMarketOptions",
    "cidrBlock": "vpc.cidr",
    "imageId": "ami",
    "keyName": "ssh",
    "maxPods": "maxPodsPerNode",
    "metadataOptions.httpPutResponseHopLimit": "disablePodIMDS",
    "metadataOptions.httpTokens": "disableIMDSv1",
    "mixedInstancesPolicy": "instancesDistribution",
    "networkInterfaces": "efaEnabled",
    "networkInterfaces.securityGroups": "securityGroups.attachIDs",
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


def keys_of(finding: Finding) -> tuple[str, ...]:
    """The keys below a block that a finding may be about, the most exact first."""
    named = _KEYS_OF_RULE.get(finding.rule) or TERMS.key(finding.property).split(" or ")
    return (*named, *(f"{each}s" for each in named))  # instanceTypes


_FAMILIES: dict[str, str] = {Family.AL2023: "AmazonLinux2023", Family.BOTTLEROCKET: "Bottlerocket"}
_EDITS = {
    f"set amiType to {name}": f"set amiFamily: {_FAMILIES[kind.system]}"
    for name, kind in AMI_TYPES.items()
    if kind.system in _FAMILIES
} | {
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
