"""The roles of a HyperPod cluster: what its instances may do, and what its autoscaler may."""

from collections.abc import Sequence

import pulumi

from infra.hyperpod.permissions import INSTANCES, Ground, of_autoscaler, of_instances
from infra.joined import Joined
from infra.role import Role
from muster.fleet.blueprint import Blueprint
from muster.fleet.iam import trust


def instance_role(
    blueprint: Blueprint,
    cluster: Joined,
    vpc: pulumi.Input[str],
    subnets: Sequence[pulumi.Input[str]],
    security_groups: Sequence[pulumi.Input[str]],
    buckets: Sequence[pulumi.Input[str]],
    below: pulumi.ResourceOptions,
) -> Role:
    """The execution role of all instance groups.

    Nodes of EKS have others: SageMaker makes this one's access entry itself, with the deployer's rights and of a type
    of its own, when it makes the cluster.

    Args:
        blueprint: of a cluster on HyperPod.
        cluster: the control plane.
        vpc: the VPC's id.
        subnets: ids of those that instances are in.
        security_groups: ids of those that instances are in.
        buckets: names of those that lifecycle scripts are in.
        below: options of the role.
    """
    told = pulumi.Output.all(
        cluster.arn, vpc, pulumi.Output.all(*subnets), pulumi.Output.all(*security_groups), pulumi.Output.all(*buckets)
    )
    keys = _volume_keys(blueprint)
    permissions: pulumi.Output[str] = told.apply(
        lambda each: of_instances(Ground(each[0], each[1], *(tuple(ids) for ids in each[2:]), keys))
    )
    sagemaker = trust("sagemaker.amazonaws.com", "sts:AssumeRole")
    return Role("hyperpod-instances", blueprint, sagemaker, (INSTANCES,), below, inline=permissions)


def autoscaler_role(blueprint: Blueprint, cluster: Joined, below: pulumi.ResourceOptions) -> Role:
    """The role by which HyperPod's Karpenter adds nodes (`ClusterRole`)."""
    keys = _volume_keys(blueprint)
    permissions: pulumi.Output[str] = pulumi.Output.from_input(cluster.arn).apply(
        lambda arn: of_autoscaler(Ground(arn, keys=keys))
    )
    hyperpod = trust("hyperpod.sagemaker.amazonaws.com", "sts:AssumeRole")
    return Role("hyperpod-autoscaler", blueprint, hyperpod, (), below, inline=permissions)


def _volume_keys(blueprint: Blueprint) -> tuple[str, ...]:
    """The ARNs of the KMS keys of instances' volumes."""
    volumes = [volume for group in blueprint.instance_groups for volume in group.instance_group.volumes]  # type: ignore[union-attr]
    return tuple(sorted({str(volume.key) for volume in volumes if volume.key}))
