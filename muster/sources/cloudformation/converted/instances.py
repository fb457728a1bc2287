"""Launch templates, Auto Scaling groups and capacity. The property names are those of the CloudFormation template
reference, and of Pulumi's AWS provider 7."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.resources.ref import AUTO_SCALING_GROUP, LAUNCH_TEMPLATE, RESOURCE_GROUP
from muster.plain_data import as_list
from muster.policies.views.capacity import MEMBER
from muster.policies.views.node_groups import SCHEDULE
from muster.sources.cloudformation.converted.forms import Converted, Properties, block, camelized, entries, put, tags
from muster.unknown import UNKNOWN

_IN_TEMPLATES = {"SecurityGroupIds": "vpcSecurityGroupIds", "SecurityGroups": "securityGroupNames"}
_IN_INTERFACES = {
    "Groups": "securityGroups",
    "PrivateIpAddresses": "ipv4Addresses",
    "SecondaryPrivateIpAddressCount": "ipv4AddressCount",
}
_EVERYTHING = (
    *("blockDeviceMappings", "capacityReservationSpecification", "imageId", "instanceMarketOptions", "instanceType"),
    *("keyName", "metadataOptions", "networkInterfaces", "placement", "userData", "vpcSecurityGroupIds"),
)
"""The properties of a launch template that views read."""


def launch_template(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::EC2::LaunchTemplate`."""
    data = block(properties, "LaunchTemplateData")
    inputs = dict.fromkeys(_EVERYTHING, UNKNOWN) if data is UNKNOWN else _launched(_without_empty(data))
    yield Converted(LAUNCH_TEMPLATE, put(inputs, name=properties.get("LaunchTemplateName")))


def _without_empty(value: Any) -> Any:
    """Settings without empty blocks: EC2's query protocol has no words for them, so EC2 never sees them."""
    if isinstance(value, Mapping):
        found = {key: _without_empty(each) for key, each in value.items()}
        return {key: each for key, each in found.items() if each not in ({}, [])}
    return [_without_empty(each) for each in value] if isinstance(value, list) else value


def _launched(data: Properties) -> dict[str, Any]:
    plain = {key: value for key, value in data.items() if key not in {*_IN_TEMPLATES, "NetworkInterfaces"}}
    inputs: dict[str, Any] = camelized(plain)
    inputs |= {_IN_TEMPLATES[key]: value for key, value in data.items() if key in _IN_TEMPLATES}
    if "NetworkInterfaces" in data:
        inputs["networkInterfaces"] = [_interface(each) for each in entries(data["NetworkInterfaces"])]
        if data["NetworkInterfaces"] is UNKNOWN:
            inputs["networkInterfaces"] = UNKNOWN
    return inputs


def _interface(entry: Any) -> Any:
    if entry is UNKNOWN:
        return UNKNOWN
    plain = {key: value for key, value in entry.items() if key not in _IN_INTERFACES}
    return {
        **camelized(plain),
        **{_IN_INTERFACES[key]: value for key, value in entry.items() if key in _IN_INTERFACES},
    }


_IN_GROUPS = {
    "AutoScalingGroupName": "name",
    "LaunchConfigurationName": "launchConfiguration",
    "VPCZoneIdentifier": "vpcZoneIdentifiers",
}


def auto_scaling_group(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::AutoScaling::AutoScalingGroup`."""
    plain = {key: value for key, value in properties.items() if key not in {*_IN_GROUPS, "LaunchTemplate", "Tags"}}
    inputs = camelized(plain)
    inputs |= {_IN_GROUPS[key]: value for key, value in properties.items() if key in _IN_GROUPS}
    if "LaunchTemplate" in properties:
        inputs["launchTemplate"] = _specification(properties["LaunchTemplate"])
    if "Tags" in properties:
        listed = properties["Tags"]
        inputs["tags"] = UNKNOWN if listed is UNKNOWN else [camelized(each) for each in entries(listed)]
    yield Converted(AUTO_SCALING_GROUP, inputs)


def _specification(given: Any) -> Any:
    """The launch template of a group, which Pulumi names with `id` or `name`."""
    if not isinstance(given, Mapping):
        return UNKNOWN
    names = {"LaunchTemplateId": "id", "LaunchTemplateName": "name", "Version": "version"}
    return {names[key]: value for key, value in given.items() if key in names}


def schedule(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::AutoScaling::ScheduledAction`."""
    inputs = camelized(properties, without=("AutoScalingGroupName",))
    yield Converted(SCHEDULE, {**inputs, "autoscalingGroupName": properties.get("AutoScalingGroupName", UNKNOWN)})


def resource_group(properties: Properties, name: str) -> Iterable[Converted]:
    """`AWS::ResourceGroups::Group`, which also lists its members."""
    inputs = camelized(properties, without=("Configuration", "Resources", "Tags"))
    yield Converted(
        RESOURCE_GROUP,
        put(
            inputs,
            configurations=camelized(properties.get("Configuration")),
            tags=tags(properties["Tags"]) if "Tags" in properties else None,
        ),
    )
    for index, each in enumerate(as_list(properties.get("Resources"))):
        yield Converted(MEMBER, {"groupArn": name, "resourceArn": each}, f"Resources[{index}]")
