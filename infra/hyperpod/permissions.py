"""What HyperPod's roles may do, as IAM policies. Pure.

AWS's quick setup grants the same to all of its templates' clusters (aws/sagemaker-hyperpod-cluster-setup b920fcf,
`eks/cloudformation/sagemaker-iam-role-template.yaml`). Left out here is what only restricted instance groups and roll
backs by alarm need, and what it grants in other accounts and Regions.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet.zones import domain_of

INSTANCES = "AmazonSageMakerClusterInstanceRolePolicy"
"""AWS's own part: logs and metrics of `/aws/sagemaker/Clusters`, Session Manager's channels, and reading those of the
account's buckets whose names begin with ``sagemaker-``."""

_INTERFACES = (
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:CreateNetworkInterfacePermission",
    "ec2:DeleteNetworkInterface",
    "ec2:DeleteNetworkInterfacePermission",
    "ec2:ModifyNetworkInterfaceAttribute",
    "ec2:UnassignPrivateIpAddresses",
)
_SEEN = (
    "ec2:DescribeDhcpOptions",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeInstances",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "ec2:DescribeTags",
    "ec2:DescribeVpcs",
)
_IMAGES = (
    "ecr:BatchCheckLayerAvailability",
    "ecr:BatchGetImage",
    "ecr:GetAuthorizationToken",
    "ecr:GetDownloadUrlForLayer",
)
_AUTOSCALER_GRANTS = (
    "CreateGrant",
    "Decrypt",
    "DescribeKey",
    "GenerateDataKeyWithoutPlaintext",
    "ReEncryptFrom",
    "ReEncryptTo",
    "RetireGrant",
)
"""What its grants on a volume's key may be for (SageMaker guide, "sagemaker-hyperpod-eks-autoscaling-iam")."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a cluster's nodes stand on, by the names that AWS gave."""

    orchestrator: str
    """The EKS cluster's ARN. It also says partition, Region and account."""
    vpc: str = ""
    subnets: tuple[str, ...] = ()
    security_groups: tuple[str, ...] = ()
    buckets: tuple[str, ...] = ()
    """Names of those that hold lifecycle scripts."""
    keys: tuple[str, ...] = ()
    """ARNs of the KMS keys of volumes."""

    def arn(self, service: str, resource: str, account: str | None = None) -> str:
        """The ARN of something in the cluster's Region, and its account if no other is said."""
        _, partition, _, region, own, _ = self.orchestrator.split(":", 5)
        return f"arn:{partition}:{service}:{region}:{account or own}:{resource}"

    @property
    def partition(self) -> str:
        """``aws``, ``aws-cn`` or ``aws-us-gov``."""
        return self.orchestrator.split(":")[1]

    @property
    def region(self) -> str:
        """As in ``us-west-2``."""
        return self.orchestrator.split(":")[3]


def of_instances(ground: Ground) -> str:
    """What the execution role may do beside AWS's own part, as JSON.

    The nodes' instances belong to SageMaker's account; the role's rights let it put their network interfaces into this
    one, in the cluster's subnets and security groups only.
    """
    attached = [ground.arn("ec2", "instance/*"), ground.arn("ec2", "network-interface/*")]
    around = [
        # Where another account shares its VPC, these have that account in their ARNs.
        ground.arn("ec2", f"vpc/{ground.vpc}", account="*"),
        *(ground.arn("ec2", f"subnet/{each}", account="*") for each in sorted(ground.subnets)),
        *(ground.arn("ec2", f"security-group/{each}") for each in sorted(ground.security_groups)),
    ]
    scripts = [f"arn:{ground.partition}:s3:::{each}" for each in sorted(ground.buckets)]
    statements = [
        _allow("Interfaces", _INTERFACES, [*attached, *around]),
        _allow("AttachInterfaces", ["ec2:AttachNetworkInterface"], attached),
        # As AWS grants it: on which ARN of an instance of SageMaker's account EC2 asks, is written nowhere.
        _allow("DetachInterfaces", ["ec2:DetachNetworkInterface"], ["*"]),
        _allow("TagInterfaces", ["ec2:CreateTags"], attached[1:]),
        _allow("See", _SEEN, ["*"]),
        _allow("PullImages", _IMAGES, ["*"]),
        _allow("PodIdentity", ["eks-auth:AssumeRoleForPodIdentity"], [ground.orchestrator]),
    ]
    if scripts:
        objects = [f"{each}/*" for each in scripts]
        statements.append(_allow("LifecycleScripts", ["s3:GetObject", "s3:ListBucket"], [*scripts, *objects]))
    return _policy([*statements, *_of_keys(ground)])


def of_autoscaler(ground: Ground) -> str:
    """What HyperPod's Karpenter may do, as JSON: add nodes and take them back, with their volumes' keys.

    Not on one cluster: the cluster takes the role at its creation, and its ARN ends in an id that it gets then.
    """
    nodes = ["sagemaker:BatchAddClusterNodes", "sagemaker:BatchDeleteClusterNodes"]
    grants = {"ForAllValues:StringEquals": {"kms:GrantOperations": list(_AUTOSCALER_GRANTS)}}
    return _policy([_allow("Nodes", nodes, [ground.arn("sagemaker", "cluster/*")]), *_of_keys(ground, grants)])


def _of_keys(ground: Ground, grants: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """The volumes' keys, through SageMaker only and granted to AWS only (SageMaker guide, "smcluster-cmk")."""
    if not ground.keys:
        return []
    via = {"StringEquals": {"kms:ViaService": f"sagemaker.{ground.region}.{domain_of(ground.region)}"}}
    volumes = {**via, "Bool": {"kms:GrantIsForAWSResource": "true"}, **(grants or {})}
    keys = sorted(set(ground.keys))
    return [
        _allow("GrantVolumeKeys", ["kms:CreateGrant"], keys, volumes),
        _allow("SeeVolumeKeys", ["kms:DescribeKey"], keys, via),
    ]


def _allow(
    name: str, actions: Iterable[str], resources: Iterable[str], condition: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    statement: dict[str, Any] = {
        "Sid": name,
        "Effect": "Allow",
        "Action": sorted(actions),
        "Resource": list(dict.fromkeys(resources)),
    }
    return {**statement, "Condition": condition} if condition else statement


def _policy(statements: list[dict[str, Any]]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": statements})
