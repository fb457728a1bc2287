"""Security groups with their rules, and network interfaces. The property names are those of the CloudFormation template
reference, and of Pulumi's AWS provider 7."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.resources.ref import INTERFACE_ATTACHMENT, SECURITY_GROUP
from muster.sources.cloudformation.converted.forms import (
    Convert,
    Converted,
    Properties,
    camelized,
    entries,
    put,
    tags,
)
from muster.unknown import UNKNOWN

INGRESS_RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
EGRESS_RULE = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"

_ALL_OUT = {"protocol": "-1", "cidrBlocks": ["0.0.0.0/0"], "ipv6CidrBlocks": ["::/0"]}
"""The rule of a group without egress rules: "if you do not add egress rules, we add egress rules that allow all
outbound IPv4 and IPv6 traffic" (template reference, AWS::EC2::SecurityGroup)."""

_INLINE = {
    "IpProtocol": ("protocol", False),
    "FromPort": ("fromPort", False),
    "ToPort": ("toPort", False),
    "CidrIp": ("cidrBlocks", True),
    "CidrIpv6": ("ipv6CidrBlocks", True),
    "SourceSecurityGroupId": ("securityGroups", True),
    "DestinationSecurityGroupId": ("securityGroups", True),
    "SourcePrefixListId": ("prefixListIds", True),
    "DestinationPrefixListId": ("prefixListIds", True),
}
"""Property of a rule in a group -> Pulumi's property, and whether Pulumi has a list there."""

_SEPARATE = {
    "GroupId": "securityGroupId",
    "IpProtocol": "ipProtocol",
    "FromPort": "fromPort",
    "ToPort": "toPort",
    "CidrIp": "cidrIpv4",
    "CidrIpv6": "cidrIpv6",
    "SourceSecurityGroupId": "referencedSecurityGroupId",
    "DestinationSecurityGroupId": "referencedSecurityGroupId",
    "SourcePrefixListId": "prefixListId",
    "DestinationPrefixListId": "prefixListId",
}
"""Property of a rule that is a resource -> Pulumi's property."""


def security_group(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::EC2::SecurityGroup`."""
    inputs = camelized(properties, without=("GroupName", "SecurityGroupIngress", "SecurityGroupEgress", "Tags"))
    egress = properties.get("SecurityGroupEgress")
    yield Converted(
        SECURITY_GROUP,
        put(
            inputs,
            name=properties.get("GroupName"),
            ingress=_inline(properties["SecurityGroupIngress"]) if "SecurityGroupIngress" in properties else None,
            egress=_inline(egress) if egress not in (None, []) else [_ALL_OUT],
            tags=tags(properties["Tags"]) if "Tags" in properties else None,
        ),
    )


def _inline(value: Any) -> Any:
    return UNKNOWN if value is UNKNOWN else [_rule(each) for each in entries(value)]


def _rule(rule: Any) -> Any:
    if not isinstance(rule, Mapping):
        return UNKNOWN
    made: dict[str, Any] = {}
    for key, value in rule.items():
        name, is_list = _INLINE.get(key, ("", False))
        if name:
            made[name] = [*made.get(name, []), value] if is_list else value
    return made


def separate(type_: str) -> Convert:
    """`AWS::EC2::SecurityGroupIngress` and `AWS::EC2::SecurityGroupEgress`."""

    def convert(properties: Properties, _: str) -> Iterable[Converted]:
        inputs = {_SEPARATE[key]: value for key, value in properties.items() if key in _SEPARATE}
        inputs.setdefault("securityGroupId", UNKNOWN)  # `GroupName` can name the group
        yield Converted(type_, inputs)

    return convert


def interface_attachment(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::EC2::NetworkInterfaceAttachment`."""
    yield Converted(INTERFACE_ATTACHMENT, camelized(properties))
