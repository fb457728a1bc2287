"""EKS clusters, node groups, add-ons and access entries. The property names are those of the CloudFormation template
reference, and of Pulumi's AWS provider 7."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.resources.ref import ADDON, CLUSTER, NODE_GROUP
from muster.sources.cloudformation.converted.forms import (
    Converted,
    Properties,
    block,
    camelized,
    entries,
    labels,
    put,
    tags,
)
from muster.sources.version_text import text_of_version
from muster.unknown import UNKNOWN

_ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"

_NETWORK = "ResourcesVpcConfig"
_ENTRY = "aws:eks/accessEntry:AccessEntry"
SECURITY_GROUP_OF = "{}.ClusterSecurityGroupId"
"""The text that stands for the security group that EKS creates for a cluster."""


def cluster(properties: Properties, name: str) -> Iterable[Converted]:
    """`AWS::EKS::Cluster`."""
    inputs = camelized(properties, without=(_NETWORK, "Logging", "Tags", "Version"))
    network = camelized(block(properties, _NETWORK))
    inputs = put(
        inputs,
        version=text_of_version(properties.get("Version")),
        vpcConfig=network,
        enabledClusterLogTypes=_logs(properties) if "Logging" in properties else None,
        tags=tags(properties["Tags"]) if "Tags" in properties else None,
    )
    group = {"clusterSecurityGroupId": SECURITY_GROUP_OF.format(name)}
    outputs = {"vpcConfig": {**(network if isinstance(network, Mapping) else {}), **group}}
    yield Converted(CLUSTER, inputs, outputs=outputs)


def _logs(properties: Properties) -> Any:
    types = block(properties, "Logging", "ClusterLogging")
    listed = entries(UNKNOWN if types is UNKNOWN else types.get("EnabledTypes"))
    return UNKNOWN if UNKNOWN in listed else [each.get("Type", UNKNOWN) for each in listed]


def node_group(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::EKS::Nodegroup`."""
    inputs = camelized(properties, without=("Subnets", "NodeRole", "Labels", "Tags", "Version"))
    yield Converted(
        NODE_GROUP,
        put(
            inputs,
            subnetIds=properties.get("Subnets"),
            nodeRoleArn=properties.get("NodeRole"),
            labels=labels(properties["Labels"]) if "Labels" in properties else None,
            tags=tags(properties["Tags"]) if "Tags" in properties else None,
            version=text_of_version(properties.get("Version")),
        ),
    )


def addon(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::EKS::Addon`."""
    yield Converted(ADDON, camelized(properties, without=("Tags",)))


def access_entry(properties: Properties, _: str) -> Iterable[Converted]:
    """`AWS::EKS::AccessEntry`, which also has the access policies of its principal."""
    whose = {key: camelized(properties.get(name, UNKNOWN)) for key, name in _OF_ENTRIES.items()}
    yield Converted(_ENTRY, {**camelized(properties, without=("Tags", "AccessPolicies")), **whose})
    for index, each in enumerate(entries(properties.get("AccessPolicies"))):
        given = {"policyArn": UNKNOWN, "accessScope": UNKNOWN} if each is UNKNOWN else camelized(each)
        yield Converted(_ASSOCIATION, {**whose, **given}, f"AccessPolicies[{index}]")


_OF_ENTRIES = {"clusterName": "ClusterName", "principalArn": "PrincipalArn"}
