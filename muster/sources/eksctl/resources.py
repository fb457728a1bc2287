"""The resources of one ClusterConfig while they are made, with the places in the file that they come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from muster.config.document import value_at
from muster.edits import OF_FILE, Remedy, remove, set_to
from muster.finding import Finding, KeyPath, dotted_path
from muster.fleet.resources.ref import Ref
from muster.hardware.ami import AMI_TYPES, Family
from muster.plain_data import drop_none
from muster.position import Position
from muster.sources.registrations import Program
from muster.sources.source import Gap, InputFile, InvalidFile
from muster.unknown import UNKNOWN

_KEYS: dict[str, str] = {
    "addonVersion": "version",
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
    "availabilityZone": "availabilityZones",
    "subnetIds": "availabilityZones or subnets",
    "vpcConfig.endpointPublicAccess": "vpc.clusterEndpoints.publicAccess",
    "vpcConfig.publicAccessCidrs": "vpc.publicAccessCIDRs",
    "vpcConfig.subnetIds": "availabilityZones or vpc.subnets",
    "vpcSecurityGroupIds": "securityGroups.attachIDs",
    "vpcZoneIdentifiers": "availabilityZones or subnets",
}
"""The engine's property -> eksctl's key."""


_FAMILIES: dict[str, str] = {Family.AL2023: "AmazonLinux2023", Family.BOTTLEROCKET: "Bottlerocket"}
_EDITS: dict[str, Remedy] = {
    **{
        f"set amiType to {name}": set_to(_FAMILIES[kind.system], at="amiFamily")
        for name, kind in AMI_TYPES.items()
        if kind.system in _FAMILIES
    },
    "set metadataOptions.httpPutResponseHopLimit to 1": "set disablePodIMDS: true, which iam.withAddonPolicies "
    "excludes",
    "set metadataOptions.httpTokens to required": set_to(True, at="disableIMDSv1"),
    "set capacityType to ON_DEMAND": remove("spot"),
    "set networkInterfaces to interfaces without EFA": remove("efaEnabled"),
    "remove placement": "use managedNodeGroups without placement: for nodeGroups with EFA, eksctl creates one",
    "set subnetIds to private subnets with a route to a NAT gateway": set_to(True, at="privateNetworking"),
    "set vpcZoneIdentifiers to private subnets with a route to a NAT gateway": set_to(True, at="privateNetworking"),
}
TERMS = replace(OF_FILE, key=lambda name: _KEYS.get(name, name), edits=_EDITS)


OWN_DAEMON_SETS = "eksctl's DaemonSet "
"""The beginning of the names of the device plugins that eksctl installs."""


SHARED_NODES, CONTROL_PLANE = "group of all nodes", "group of the control plane"
"""The names of the security groups that eksctl creates for a cluster, as ids in the program."""
_ALL = {"protocol": "-1", "fromPort": 0, "toPort": 0}
TO_EVERYWHERE, FROM_AND_TO_ITSELF = [{**_ALL, "cidrBlocks": ["0.0.0.0/0"]}], [{**_ALL, "self": True}]
"""Rules of security groups."""


class AllUnknown(dict[str, Any]):
    """A block of which the file has no value: each of its keys is unknown."""

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ARG002 - dict's own signature
        """Unknown, whatever the key."""
        return UNKNOWN


def block(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A nested block: empty if it is not set, and with unknown keys if it is unknown."""
    found = values.get(key)
    if found is UNKNOWN:
        return AllUnknown()
    return found if isinstance(found, Mapping) else {}


def items(values: Mapping[str, Any], key: str) -> list[Any]:
    """A list; empty if it is not set, or unknown."""
    found = values.get(key)
    return found if isinstance(found, list) else []


def first(*values: Any) -> Any:
    """The first value that is set: not None, not empty. An unknown one is set."""
    return next((each for each in values if is_given(each)), None)


def is_given(value: Any) -> bool:
    """Whether a value is set, known or not; a text, list or block that is empty is not."""
    return value is UNKNOWN or value not in (None, "", [], {}, False)


def is_on(value: Any) -> bool:
    """Whether a switch is known to be true."""
    return value is True


@dataclass(slots=True)
class Resources:
    """Receives the resources of a file."""

    file: InputFile
    document: int
    config: Mapping[str, Any]
    name: str
    """The cluster's name, as the file has it."""
    program: Program
    gaps: list[Gap] = field(default_factory=list)
    paths: dict[str, KeyPath] = field(default_factory=dict)
    """URN -> the path in the file."""

    @property
    def cluster_group(self) -> str:
        """The id, in the program, of the security group that EKS creates for the cluster."""
        return f"cluster group of {self.name}"

    def add(self, type_: str, name: str, inputs: Mapping[str, Any], path: KeyPath, **more: Any) -> str:
        """Adds a resource that a path of the file creates, and returns its URN."""
        urn = self.program.add(type_, name, drop_none(inputs), at=self.file.position(path, self.document), **more)
        self.paths[urn] = path
        return urn

    def written(self, path: KeyPath) -> Any:
        """The value at a path as the file has it, with placeholders."""
        return value_at(self.file.documents[self.document], path)

    def missing(self, path: KeyPath, what: str) -> None:
        """Records a part of the file that no rule evaluates."""
        self.gaps.append(Gap(dotted_path(path), what))

    def fault(self, path: KeyPath, got: str, remedy: str) -> InvalidFile:
        """The error for a part of the file."""
        return self.file.fault(path, got, remedy, self.document)

    def label(self, urn: str) -> str:
        """The part of the file that creates a resource: ``node group workers``."""
        path, name = self.paths.get(urn, ()), Ref.of_urn(urn).name
        if name.startswith(OWN_DAEMON_SETS):
            return name
        if path[:1] and path[0] in ("managedNodeGroups", "nodeGroups"):
            group = self.written((*path[:2], "name"))
            return f"node group {group}" if isinstance(group, str) else dotted_path(path[:2])
        return f"add-on {name}" if path[:1] == ("addons",) else f"cluster {self.name}"

    def place(self, finding: Finding) -> Position | None:
        """The key that a finding is about, or the begin of the block that creates its resource."""
        path = self.paths.get(finding.where) or self.paths.get(finding.resource)
        if path is None:
            return None
        named = [tuple(each.split(".")) for each in TERMS.key(finding.property).split(" or ")]
        below = next((each for each in (*named, ("name",)) if self.written((*path, *each)) is not None), ())
        return self.file.position((*path, *below), self.document)
