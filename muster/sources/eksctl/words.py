"""The words of findings, in the keys of a ClusterConfig."""

import re

KEY_OF_RULE: dict[str, tuple[str, ...]] = {
    "kubernetes-version-supported": ("version",),
    "volumes-encrypted": ("volumeEncrypted", "volumeSize"),
    "imdsv2-required": ("disableIMDSv1",),
    "efa-single-zone": ("availabilityZones", "subnets", "efaEnabled"),
    "efa-fits-instance": ("efaEnabled",),
    "several-interfaces-private-subnets": ("privateNetworking", "efaEnabled"),
    "plugin-reaches-its-nodes": ("efaEnabled", "instanceType"),
    "node-role-narrow": ("withAddonPolicies", "attachPolicyARNs"),
}
"""Rule -> the keys below a group that its findings are about, the most exact first."""

_WORDS: tuple[tuple[str, str], ...] = (
    ("vpcConfig.publicAccessCidrs", "vpc.publicAccessCIDRs"),
    ("vpcConfig.endpointPublicAccess", "vpc.clusterEndpoints.publicAccess"),
    ("vpcConfig.endpointPrivateAccess", "vpc.clusterEndpoints.privateAccess"),
)


def words(text: str) -> str:
    """A text with eksctl's keys in place of the engine's properties."""
    for ours, theirs in _WORDS:
        text = re.sub(rf"(?<![\w.]){re.escape(ours)}(?![\w.])", theirs, text)
    return text
