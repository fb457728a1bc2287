"""The CloudFormation template by which AWS makes a ParallelCluster: a constant of the description.

A nested stack with AWS's own provider for this version, and one `Custom::PclusterCluster`. Every id is a parameter, so
that a preview knows the whole text, and rules can judge it, while ids are still unknown.

CloudFormation waits an hour for a custom resource, and no longer (`ServiceTimeout`): a head node has that long.

Sources: aws-parallelcluster, `cloudformation/custom_resource/cluster.yaml` and `cluster-1-click.yaml`; ParallelCluster
guide, "cloudformation-v3".
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.group import ParallelClusterGroup
from muster.blueprint.logical_names import NODES_GROUP_REF
from muster.blueprint.parallelcluster.configuration import configuration
from muster.blueprint.parallelcluster.keys import DELETION
from muster.config.description.iam import Iam
from muster.config.description.node_group import Tier
from muster.config.description.slurm_settings import OnFailure
from muster.fleet.resources import Reference
from muster.plain_data import drop_none

# The parameters of the template: one for each id, named by what the id is for, never by the id.
#
# So the template is the same text whatever ids there are: another subnet in the same zone, another reservation for the
# same group change a parameter's value alone.


class Parameters:
    """The parameters that a template has used so far, in the order of its text."""

    def __init__(self, blueprint: ParallelClusterBlueprint) -> None:
        self._words: dict[Reference, str] = {}
        for reference, word in _words(blueprint):
            self._words.setdefault(reference, word)
        self._given: dict[str, Reference] = {}

    @property
    def given(self) -> Mapping[str, Reference]:
        """Name -> the resource whose id it has."""
        return self._given

    def ref(self, reference: Reference) -> dict[str, str]:
        """``{"Ref": "SubnetPrivateUsWest2a"}``."""
        known = {each: name for name, each in self._given.items()}
        return {"Ref": known.get(reference) or self._new(reference)}

    def _new(self, reference: Reference) -> str:
        word = _camel(self._words[reference])
        name, number = word, 1
        while name in self._given:
            number += 1
            name = f"{word}{number}"
        self._given[name] = reference
        return name


def _words(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[Reference, str]]:
    """Resource -> what its id is for. If it is for several things, the first one counts."""
    if blueprint.cluster.image is not None:
        yield blueprint.cluster.image, "image"
    if blueprint.head.key_pair is not None:
        yield blueprint.head.key_pair, "key-pair-head"
    for tier in Tier:
        for zone, subnet in blueprint.network.of(tier).items():
            yield subnet, f"subnet-{tier.value}-{zone}"
    yield from (
        (each, f"subnet-{name}") for name, queue in blueprint.described.queues.items() for each in queue.subnets
    )
    yield from _security_groups(blueprint)
    for group in blueprint.groups:
        yield from _capacity(group)
    for stored in blueprint.storage:
        yield stored.mounted, f"file-system-{stored.name}"


def _security_groups(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[Reference, str]]:
    yield NODES_GROUP_REF, f"security-group-{NODES_GROUP_REF.name}"
    theirs = {"head": blueprint.described.head.security_groups}
    theirs |= {f"login-{name}": pool.security_groups for name, pool in blueprint.described.login_nodes.items()}
    theirs |= {f"queue-{name}": queue.security_groups for name, queue in blueprint.described.queues.items()}
    for word, groups in theirs.items():
        for number, group in enumerate(groups, start=1):
            yield group, f"security-group-{word}-{number}"


def _capacity(group: ParallelClusterGroup) -> Iterator[tuple[Reference, str]]:
    target = group.resource.target
    if target.reservation is not None:
        yield target.reservation, f"reservation-{group.name}"
    if target.group is not None:
        yield target.group, f"reservation-group-{group.name}"


def _camel(text: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", text) if word)


# The function that keeps a failed cluster for analysis, and allows later updates of the cluster.
#
# `RollbackOnFailure` is an argument of the provider's creation alone: its update refuses every request that has it
# (`pcluster/lib/lib.py` of 3.16.1, "got unexpected arguments"), and so does the update by which CloudFormation would
# roll that one back, which leaves the stack in UPDATE_ROLLBACK_FAILED. A template cannot tell creation from update. So
# a function of Muster's is called before the provider: it removes the property from all requests but the first, and
# passes them on. CloudFormation identifies a custom resource by its function and refuses another one: the choice is
# made once, at creation.

FUNCTION, ROLE = "CreationOnly", "CreationOnlyRole"
"""Logical ids."""

PROPERTY = "RollbackOnFailure"

_RUNTIME = "python3.13"

CODE = f"""\
import json
import os

import boto3
import cfnresponse


def handler(event, context):
    if event["RequestType"] != "Create":
        for properties in ("ResourceProperties", "OldResourceProperties"):
            event.get(properties, {{}}).pop("{PROPERTY}", None)
    try:
        boto3.client("lambda").invoke(
            FunctionName=os.environ["PROVIDER"], InvocationType="Event", Payload=json.dumps(event).encode()
        )
    except Exception as fault:
        cfnresponse.send(event, context, cfnresponse.FAILED, {{}}, event.get("PhysicalResourceId"), reason=str(fault))
"""
"""The function answers CloudFormation itself only if it has not called the provider; otherwise the provider answers."""


def creation_only(provider: Any, iam: Iam) -> dict[str, Any]:
    """The resources, by logical id.

    Args:
        provider: the ARN of the provider's function, as a value of the template.
        iam: the settings of all roles.
    """
    logs = {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"}
    return {
        ROLE: {
            "Type": "AWS::IAM::Role",
            "Properties": {
                **drop_none({"PermissionsBoundary": iam.permissions_boundary, "Path": iam.path}),
                "AssumeRolePolicyDocument": _policy(
                    {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
                ),
                "ManagedPolicyArns": [logs],
                "Policies": [
                    {
                        "PolicyName": "provider",
                        "PolicyDocument": _policy(
                            {"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": provider}
                        ),
                    }
                ],
            },
        },
        FUNCTION: {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "Description": f"Asks ParallelCluster's provider, for {PROPERTY} at creation only",
                "Handler": "index.handler",
                "Runtime": _RUNTIME,
                "Timeout": 60,
                "Role": {"Fn::GetAtt": [ROLE, "Arn"]},
                "Environment": {"Variables": {"PROVIDER": provider}},
                "Code": {"ZipFile": CODE},
            },
        },
    }


# The permissions that ParallelCluster's provider needs for a cluster of Muster, and that AWS's policies do not give.
#
# They allow it to attach a list of AWS's policies to nodes' roles, and no others, and not to read secrets
# (aws-parallelcluster, `cloudformation/policies/parallelcluster-policies.yaml`; guide, "cfn-provider-stack": "you
# must also grant the required permissions"). CloudFormation would fail when it creates the head node's role.

POLICY = "ProviderRights"
"""Logical id."""

_MAY_ATTACH = frozenset(
    {
        "CloudWatchAgentServerPolicy",
        "AmazonSSMManagedInstanceCore",
        "AWSBatchFullAccess",
        "AmazonS3ReadOnlyAccess",
        "EC2InstanceProfileForImageBuilder",
    }
)
"""The AWS policies that the provider may attach to roles, without those for services other than EC2."""


def provider_rights(configuration: dict[str, Any]) -> dict[str, Any]:
    """The policy, by its logical id.

    Args:
        configuration: the cluster's, in ParallelCluster's words.
    """
    scheduling = configuration["Scheduling"]
    pools = configuration.get("LoginNodes", {}).get("Pools", ())
    nodes = [configuration["HeadNode"], *pools, *scheduling["SlurmQueues"]]
    attached = {each["Policy"] for node in nodes for each in node.get("Iam", {}).get("AdditionalIamPolicies", ())}
    beyond = sorted(each for each in attached if each.rpartition("/")[2] not in _MAY_ATTACH)
    secret = scheduling.get("SlurmSettings", {}).get("Database", {}).get("PasswordSecretArn")
    boundary = configuration.get("Iam", {}).get("PermissionsBoundary")
    # What the description no longer has is taken off the roles: a policy, a boundary.
    statements = [_on_roles(["iam:DetachRolePolicy", "iam:DeleteRolePermissionsBoundary"])]
    if beyond:
        statements.append(_on_roles(["iam:AttachRolePolicy"], {"ArnEquals": {"iam:PolicyARN": beyond}}))
    if boundary:
        only = {"StringEquals": {"iam:PermissionsBoundary": boundary}}
        statements.append(_on_roles(["iam:PutRolePermissionsBoundary"], only))
    if secret:
        statements.append({"Effect": "Allow", "Action": "secretsmanager:DescribeSecret", "Resource": secret})
    if bucket := configuration.get("CustomS3Bucket"):
        arn = f"arn:${{AWS::Partition}}:s3:::{bucket}"
        statements.append(
            {"Effect": "Allow", "Action": "s3:*", "Resource": [{"Fn::Sub": arn}, {"Fn::Sub": f"{arn}/*"}]}
        )
    return {
        POLICY: {
            "Type": "AWS::IAM::ManagedPolicy",
            "Properties": {"PolicyDocument": _policy(*statements)},
        }
    }


def _on_roles(actions: list[str], condition: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A statement about the cluster's roles."""
    roles = {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/parallelcluster/*"}
    return {"Effect": "Allow", "Action": actions, "Resource": roles, **({"Condition": condition} if condition else {})}


def _policy(*statements: dict[str, Any]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": list(statements)}


CLUSTER, PROVIDER = "PclusterCluster", "PclusterClusterProvider"
"""Logical ids, as AWS's guide names them."""

HEAD_NODE, PRIVATE_ADDRESS, PUBLIC_ADDRESS = "HeadNodeInstanceId", "HeadNodePrivateAddress", "HeadNodePublicAddress"
CLUSTER_STACK, MESSAGES, PROVIDERS_LOG_GROUP = "ClusterStack", "ValidationMessages", "ProviderLogGroup"
"""The outputs."""

_NAME_IN_LOG_GROUP_ARN = 6
"""``arn:aws:logs:REGION:ACCOUNT:log-group:NAME:*``."""

MOST_BYTES = 51_200
"""The maximum size of a template that is part of the request (CloudFormation's quotas). From S3, a template may have up
to 1 MB."""

_PROVIDER_URL = (
    "https://${AWS::Region}-aws-parallelcluster.s3.${AWS::Region}.${AWS::URLSuffix}"
    "/parallelcluster/%s/templates/custom_resource/cluster.yaml"
)


@dataclass(frozen=True, slots=True)
class Template:
    """A template, and the resources that its parameters name."""

    body: str
    """JSON."""
    parameters: dict[str, Reference]
    """Name -> the resource whose id it has, in the order of the text."""
    outputs: tuple[str, ...]
    """Names of the stack's outputs."""


def template(blueprint: ParallelClusterBlueprint) -> Template:
    """The template of a cluster."""
    names = Parameters(blueprint)
    cluster, described = blueprint.cluster, blueprint.described
    kept_on_failure = described.on_failure is OnFailure.KEEP
    written = configuration(blueprint, names.ref)
    given = described.iam.roles.provider
    rights = {} if given else provider_rights(written)
    passed = {"CustomLambdaRole": given} if given else {"AdditionalIamPolicies": {"Ref": POLICY}}
    first = creation_only(_PROVIDERS_FUNCTION, described.iam) if kept_on_failure else {}
    properties = drop_none(
        {
            "ServiceToken": {"Fn::GetAtt": [FUNCTION, "Arn"]} if first else _PROVIDERS_FUNCTION,
            "ClusterName": cluster.name,
            "ClusterConfiguration": written,
            "DeletionPolicy": DELETION.write(described.on_destroy),
            PROPERTY: False if kept_on_failure else None,
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
                    "Parameters": passed,
                },
            },
            **first,
            CLUSTER: {"Type": "Custom::PclusterCluster", "Properties": properties},
        },
        "Outputs": {name: {"Value": value} for name, value in outputs.items()},
    }
    return Template(json.dumps(document, separators=(",", ":")), dict(names.given), tuple(outputs))


_PROVIDERS_FUNCTION = {"Fn::GetAtt": [PROVIDER, "Outputs.ServiceToken"]}


def _outputs(blueprint: ParallelClusterBlueprint) -> dict[str, Any]:
    """The outputs of `describe-cluster`, flattened. A missing key fails the whole stack, so the public address is read
    only if the head node has one. The guide's `logGroupName` is no key of the provider's answer (its code, as of
    3.13.1): its log group is an output of the provider's stack."""
    attributes = {
        CLUSTER_STACK: "cloudformationStackArn",
        HEAD_NODE: "headNode.instanceId",
        PRIVATE_ADDRESS: "headNode.privateIpAddress",
        MESSAGES: "validationMessages",
    }
    if blueprint.described.head.subnets is Tier.PUBLIC:
        attributes[PUBLIC_ADDRESS] = "headNode.publicIpAddress"
    log_group_arn = {"Fn::GetAtt": [PROVIDER, "Outputs.LogGroupArn"]}
    return {
        **{name: {"Fn::GetAtt": [CLUSTER, attribute]} for name, attribute in attributes.items()},
        PROVIDERS_LOG_GROUP: {"Fn::Select": [_NAME_IN_LOG_GROUP_ARN, {"Fn::Split": [":", log_group_arn]}]},
    }
