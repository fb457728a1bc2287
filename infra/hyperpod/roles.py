"""The roles of a HyperPod cluster: the permissions of its instances, and of its autoscaler."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.iam import allow, policy, trust
from muster.blueprint.logical_names import NODE_ROLES
from muster.fleet.resources import InstanceGroup, Ref, Reference
from muster.hardware.zones import domain_of
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.hyperpod.lifecycle import LifecycleScripts
from muster.infra.network import Foundation
from muster.infra.role import Role

# What HyperPod's roles may do, as IAM policies. Pure.
#
# AWS's quick setup grants the same to all of its templates' clusters (aws/sagemaker-hyperpod-cluster-setup b920fcf,
# `eks/cloudformation/sagemaker-iam-role-template.yaml`). Left out here is what only restricted instance groups and roll
# backs by alarm need, and what it grants in other accounts and Regions.

INSTANCES = "AmazonSageMakerClusterInstanceRolePolicy"
"""AWS's managed policy: logs and metrics of `/aws/sagemaker/Clusters`, Session Manager's channels, and reading those of
the account's buckets whose names begin with ``sagemaker-``."""

_INTERFACES = (
    "ec2:AssignPrivateIpAddresses",
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
"""The operations that its grants on a volume's key may include (SageMaker guide,
"sagemaker-hyperpod-eks-autoscaling-iam")."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The resources that a cluster's nodes depend on, by the names that AWS gave."""

    orchestrator: str
    """The EKS cluster's ARN, or with Slurm the ARN of any cluster of HyperPod in the Region. It also contains the
    partition, Region and account; ``*`` for any account."""
    vpc: str = ""
    subnets: tuple[str, ...] = ()
    security_groups: tuple[str, ...] = ()
    buckets: tuple[str, ...] = ()
    """The names of the buckets with lifecycle scripts."""
    keys: tuple[str, ...] = ()
    """ARNs of the KMS keys of volumes."""
    secrets: tuple[str, ...] = ()
    """ARNs of secrets that the instances read."""

    def arn(self, service: str, resource: str, account: str | None = None) -> str:
        """The ARN of something in the cluster's Region, and its account if no other is given."""
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
    """The execution role's policy in addition to AWS's managed policy, as JSON.

    The nodes' instances belong to SageMaker's account. The role's permissions let SageMaker create their network
    interfaces in this account, only in the cluster's subnets and security groups.
    """
    interfaces, instances = ground.arn("ec2", "network-interface/*"), ground.arn("ec2", "instance/*")
    around = [
        # Where another account shares its VPC, these have that account in their ARNs.
        *(ground.arn("ec2", f"subnet/{each}", account="*") for each in sorted(ground.subnets)),
        *(ground.arn("ec2", f"security-group/{each}") for each in sorted(ground.security_groups)),
    ]
    scripts = [f"arn:{ground.partition}:s3:::{each}" for each in sorted(ground.buckets)]
    # The key is there for interfaces, security groups and subnets, but not for an interface that does not exist yet
    # (service authorization reference, list_amazonec2).
    in_vpc = {"ArnLike": {"ec2:Vpc": ground.arn("ec2", f"vpc/{ground.vpc}", account="*")}}
    attach = ["ec2:AttachNetworkInterface", "ec2:DetachNetworkInterface"]
    statements = [
        _allow("CreateInterfaces", ["ec2:CreateNetworkInterface"], [interfaces, *around]),
        _allow("Interfaces", [*_INTERFACES, *attach], [interfaces, *around], in_vpc),
        _allow("AttachInterfaces", ["ec2:AttachNetworkInterface", "ec2:ModifyNetworkInterfaceAttribute"], [instances]),
        # Which ARN of an instance in SageMaker's account EC2 checks is not documented. AWS's policy allows everything.
        _allow("DetachInterfaces", ["ec2:DetachNetworkInterface"], [ground.arn("ec2", "instance/*", account="*")]),
        _allow("TagInterfaces", ["ec2:CreateTags"], [interfaces]),
        _allow("See", _SEEN, ["*"]),
        _allow("PullImages", _IMAGES, ["*"]),
    ]
    if ":eks:" in ground.orchestrator:
        statements.append(_allow("PodIdentity", ["eks-auth:AssumeRoleForPodIdentity"], [ground.orchestrator]))
    if ground.secrets:
        statements.append(_allow("Secrets", ["secretsmanager:GetSecretValue"], sorted(ground.secrets)))
    if scripts:
        objects = [f"{each}/*" for each in scripts]
        statements.append(_allow("LifecycleScripts", ["s3:GetObject", "s3:ListBucket"], [*scripts, *objects]))
    return policy(*statements, *_of_keys(ground))


def of_autoscaler(ground: Ground) -> str:
    """The permissions of HyperPod's Karpenter, as JSON: it adds and deletes nodes, with the keys of their volumes.

    They are not limited to one cluster. The cluster needs the role when it is created, and its ARN ends in an id that
    it gets only then.
    """
    nodes = ["sagemaker:BatchAddClusterNodes", "sagemaker:BatchDeleteClusterNodes"]
    grants = {"ForAllValues:StringEquals": {"kms:GrantOperations": list(_AUTOSCALER_GRANTS)}}
    return policy(_allow("Nodes", nodes, [ground.arn("sagemaker", "cluster/*")]), *_of_keys(ground, grants))


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
    return {"Sid": name, **allow(actions, resources, condition)}


def instance_role(
    blueprint: ClusterBlueprint,
    orchestrator: pulumi.Input[str],
    around: Foundation,
    below: pulumi.ResourceOptions,
    scripts: LifecycleScripts | None = None,
) -> Role:
    """The execution role of all instance groups, with either orchestrator.

    EKS nodes have other roles. SageMaker creates this role's access entry itself, with the deployer's permissions and
    its own entry type, when it creates the cluster.

    Args:
        blueprint: of a cluster on HyperPod.
        orchestrator: see `Ground`.
        around: the network, and the security groups of nodes.
        below: options of the role.
        scripts: Muster's own scripts, if any group has them.
    """
    shared, own = blueprint.hyperpod_cluster, blueprint.hyperpod_groups
    assert shared is not None, "only a cluster on HyperPod has one"
    subnets = _distinct([shared.subnets, *(each.subnets for each in own)])
    groups = _distinct([shared.security_groups, *(each.security_groups for each in own)])
    accounting = blueprint.described.accounting
    keys, secrets = _volume_keys(own), (accounting.secret,) if accounting else ()
    names = pulumi.Output.all(
        orchestrator,
        around.vpc,
        around.ids(subnets),
        around.ids(groups),
        [*_buckets(own), *([scripts.bucket] if scripts else [])],
    )
    permissions: pulumi.Output[str] = names.apply(
        lambda known: of_instances(
            Ground(known[0], known[1], tuple(known[2]), tuple(known[3]), tuple(known[4]), keys, secrets)
        )
    )
    sagemaker = trust("sagemaker.amazonaws.com", "sts:AssumeRole")
    more = blueprint.described.iam.node_policies
    return Role(NODE_ROLES[blueprint.backend], blueprint, sagemaker, (INSTANCES,), below, inline=permissions, more=more)


def autoscaler_role(blueprint: Blueprint, cluster: ControlPlaneConnection, below: pulumi.ResourceOptions) -> Role:
    """The role by which HyperPod's Karpenter adds nodes (`ClusterRole`)."""
    keys = _volume_keys(blueprint.hyperpod_groups)
    permissions: pulumi.Output[str] = pulumi.Output.from_input(cluster.arn).apply(
        lambda arn: of_autoscaler(Ground(arn, keys=keys))
    )
    hyperpod = trust("hyperpod.sagemaker.amazonaws.com", "sts:AssumeRole")
    return Role("hyperpod-autoscaler", blueprint, hyperpod, (), below, inline=permissions)


def _distinct(several: Iterable[tuple[Reference, ...]]) -> list[Reference]:
    return sorted({each for references in several for each in references}, key=str)


def _buckets(groups: Iterable[InstanceGroup]) -> list[str]:
    """The names of the description's buckets with scripts of instances."""
    places = {
        str(each.lifecycle.source) for each in groups if each.lifecycle and not isinstance(each.lifecycle.source, Ref)
    }
    return sorted({place.removeprefix("s3://").partition("/")[0] for place in places})


def _volume_keys(groups: Iterable[InstanceGroup]) -> tuple[str, ...]:
    """The ARNs of the KMS keys of instances' volumes."""
    return tuple(sorted({str(volume.key) for each in groups for volume in each.volumes if volume.key}))
