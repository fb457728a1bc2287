"""What eksctl refuses before it creates anything (pkg/apis/eksctl.io/v1alpha5/validation.go)."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.finding import KeyPath
from muster.sources.eksctl.resources import block, is_given, is_on, items
from muster.sources.source import InputFile
from muster.unknown import UNKNOWN

_ONE_ZONE = "keep one"
_WITH_TEMPLATE = (
    *("instanceType", "ami", "volumeSize", "instanceName", "instancePrefix", "maxPodsPerNode"),
    *("preBootstrapCommands", "overrideBootstrapCommand", "placement"),
)
"""Keys that a group with its own launch template must not set."""

Fault = tuple[KeyPath, str, str]
"""The path, what was found, and what to do."""


def refuse(file: InputFile, document: int, config: Mapping[str, Any]) -> None:
    """Raises the first fault that eksctl reports.

    Raises:
        InvalidFile: there is one.
    """
    for path, got, remedy in _faults(config):
        raise file.fault(path, got, remedy, document)


def _faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    metadata = block(config, "metadata")
    for key in ("name", "region"):
        if not is_given(metadata.get(key)):
            yield ("metadata",), f"metadata has no {key}, which eksctl requires", f"add {key}"
    zones = items(config, "availabilityZones")
    if zones and block(block(config, "vpc"), "subnets"):
        got = "availabilityZones and vpc.subnets are both set, but eksctl accepts only one of them"
        yield ("availabilityZones",), got, "remove availabilityZones: the zones are those of the subnets"
    if len(zones) == 1:
        yield ("availabilityZones",), "availabilityZones has one zone, but EKS needs two", "add a second zone"
    names: set[str] = set()
    for kind in ("managedNodeGroups", "nodeGroups"):
        for index, group in enumerate(items(config, kind)):
            if group is UNKNOWN:
                continue
            name = group.get("name")
            if name is None:
                yield (kind, index), "this node group has no name, which eksctl requires", "add name"
            if isinstance(name, str) and name in names:
                yield (kind, index, "name"), f"two node groups have the name {name}", "give each its own name"
            names |= {name} if isinstance(name, str) else set()
            yield from _of_group(group, (kind, index))


def _of_group(group: Mapping[str, Any], path: KeyPath) -> Iterator[Fault]:
    zones, subnets = items(group, "availabilityZones"), items(group, "subnets")
    if zones and subnets:
        got = "availabilityZones and subnets are both set, but eksctl accepts only one of them"
        yield (*path, "subnets"), got, "remove one of them"
    if is_on(group.get("efaEnabled")) and (len(zones) > 1 or len(subnets) > 1):
        key = "availabilityZones" if len(zones) > 1 else "subnets"
        got = f"the group has efaEnabled: true, but {key} has {len(zones or subnets)} entries"
        yield (*path, key), got, f"{_ONE_ZONE}: EFA traffic does not leave a subnet"
    if is_given(group.get("instanceType")) and is_given(group.get("instanceTypes")):
        got = "instanceType and instanceTypes are both set, but eksctl accepts only one of them"
        yield (*path, "instanceTypes"), got, "remove one of them"
    if is_given(group.get("ami")) and group.get("amiFamily") is None:
        yield (*path, "ami"), "a custom AMI needs amiFamily, which is not set", "add amiFamily: AmazonLinux2023"
    yield from _of_capacity(group, path)
    if group.get("launchTemplate") is not None:
        beside = [key for key in _WITH_TEMPLATE if is_given(group.get(key))]
        if beside:
            got = f"{beside[0]} is set beside launchTemplate, which eksctl refuses"
            yield (*path, beside[0]), got, f"set it in the launch template, and remove {beside[0]}"


def _of_capacity(group: Mapping[str, Any], path: KeyPath) -> Iterator[Fault]:
    reservation = block(group, "capacityReservation")
    if group.get("instanceMarketOptions") is not None and group.get("capacityReservation") is None:
        got = "instanceMarketOptions is set without capacityReservation, which eksctl refuses"
        yield (*path, "instanceMarketOptions"), got, "add capacityReservation with the id of the Capacity Block"
    preference, target = (reservation.get(f"capacityReservation{each}") for each in ("Preference", "Target"))
    inside = (*path, "capacityReservation")
    if preference is not None and target is not None and UNKNOWN not in (preference, target):
        got = "capacityReservationPreference and capacityReservationTarget are both set"
        yield (*inside, "capacityReservationPreference"), got, "remove capacityReservationPreference"
    if isinstance(target, Mapping) and len(target) > 1:
        got = "capacityReservationID and capacityReservationResourceGroupARN are both set"
        yield (*inside, "capacityReservationTarget"), got, "keep one of them"
