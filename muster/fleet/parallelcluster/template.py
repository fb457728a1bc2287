"""The CloudFormation template by which AWS makes a ParallelCluster: a constant of the description.

A nested stack with AWS's own provider for this version, and one `Custom::PclusterCluster`. Every id is a parameter, so
that a preview knows the whole text, and rules can judge it, while ids are still unknown.

CloudFormation waits an hour for a custom resource, and no longer (`ServiceTimeout`): a head node has that long.

Sources: aws-parallelcluster, `cloudformation/custom_resource/cluster.yaml` and `cluster-1-click.yaml`; ParallelCluster
guide, "cloudformation-v3".
"""

import json
from dataclasses import dataclass
from typing import Any

from muster.fleet.description.group_core import Tier
from muster.fleet.parallelcluster.configuration import configuration
from muster.fleet.parallelcluster.creation_only import FUNCTION, PROPERTY, creation_only
from muster.fleet.parallelcluster.parameters import Parameters
from muster.fleet.parallelcluster.provider_rights import POLICY, provider_rights
from muster.fleet.resources import Reference
from muster.fleet.said import said
from muster.fleet.slurm_blueprint import SlurmBlueprint

CLUSTER, PROVIDER = "PclusterCluster", "PclusterClusterProvider"
"""Logical ids, as AWS's guide names them."""

HEAD_NODE, PRIVATE_ADDRESS, PUBLIC_ADDRESS = "HeadNodeInstanceId", "HeadNodePrivateAddress", "HeadNodePublicAddress"
CLUSTER_STACK, MESSAGES, PROVIDERS_LOG_GROUP = "ClusterStack", "ValidationMessages", "ProviderLogGroup"
"""The outputs."""

_NAME_IN_LOG_GROUP_ARN = 6
"""``arn:aws:logs:REGION:ACCOUNT:log-group:NAME:*``."""

MOST_BYTES = 51_200
"""Of a template that is sent along (CloudFormation's quotas); up to 1 MB come from S3."""

_PROVIDER_URL = (
    "https://${AWS::Region}-aws-parallelcluster.s3.${AWS::Region}.${AWS::URLSuffix}"
    "/parallelcluster/%s/templates/custom_resource/cluster.yaml"
)


@dataclass(frozen=True, slots=True)
class Template:
    """A template, and what its parameters stand for."""

    body: str
    """JSON."""
    parameters: dict[str, Reference]
    """Name -> whose id it is, in the order of the text."""
    outputs: tuple[str, ...]
    """Names of the stack's outputs."""


def template(blueprint: SlurmBlueprint) -> Template:
    """The template of a cluster."""
    names = Parameters(blueprint)
    cluster = blueprint.cluster
    written = configuration(blueprint, names.ref)
    rights = provider_rights(written)
    first = {} if cluster.rollback is None else creation_only(_PROVIDERS_FUNCTION)
    properties = said(
        {
            "ServiceToken": {"Fn::GetAtt": [FUNCTION, "Arn"]} if first else _PROVIDERS_FUNCTION,
            "ClusterName": cluster.name,
            "ClusterConfiguration": written,
            "DeletionPolicy": cluster.deletion,
            PROPERTY: cluster.rollback,
        }
    )
    outputs = _outputs(blueprint)
    document = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"AWS ParallelCluster {cluster.version}: {cluster.name}",
        "Parameters": {name: {"Type": "String"} for name in names.given},
        "Resources": {
            **rights,
            PROVIDER: {
                "Type": "AWS::CloudFormation::Stack",
                "Properties": {
                    "TemplateURL": {"Fn::Sub": _PROVIDER_URL % cluster.version},
                    **({"Parameters": {"AdditionalIamPolicies": {"Ref": POLICY}}} if rights else {}),
                },
            },
            **first,
            CLUSTER: {"Type": "Custom::PclusterCluster", "Properties": properties},
        },
        "Outputs": {name: {"Value": value} for name, value in outputs.items()},
    }
    return Template(json.dumps(document, separators=(",", ":")), dict(names.given), tuple(outputs))


_PROVIDERS_FUNCTION = {"Fn::GetAtt": [PROVIDER, "Outputs.ServiceToken"]}


def _outputs(blueprint: SlurmBlueprint) -> dict[str, Any]:
    """What `describe-cluster` says, flattened. A key that it lacks fails the whole stack: so a public address is asked
    for only where the head node has one. The guide's `logGroupName` is no key of the provider's answer (its code, as of
    3.13.1): its log group is an output of the provider's stack."""
    asked = {
        CLUSTER_STACK: "cloudformationStackArn",
        HEAD_NODE: "headNode.instanceId",
        PRIVATE_ADDRESS: "headNode.privateIpAddress",
        MESSAGES: "validationMessages",
    }
    if blueprint.described.head.subnets is Tier.PUBLIC:
        asked[PUBLIC_ADDRESS] = "headNode.publicIpAddress"
    log_group_arn = {"Fn::GetAtt": [PROVIDER, "Outputs.LogGroupArn"]}
    return {
        **{name: {"Fn::GetAtt": [CLUSTER, attribute]} for name, attribute in asked.items()},
        PROVIDERS_LOG_GROUP: {"Fn::Select": [_NAME_IN_LOG_GROUP_ARN, {"Fn::Split": [":", log_group_arn]}]},
    }
