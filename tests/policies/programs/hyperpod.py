"""Programs about HyperPod on EKS."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_aws_native as aws_native
import pulumi_kubernetes as kubernetes

from tests.policies.programs.program import shape
from tests.policies.programs.world import World, a_role, a_world, efa_group


@dataclass
class Ground:
    """What stands before the HyperPod cluster."""

    world: World
    security_group: aws.ec2.SecurityGroup
    role: aws.iam.Role
    chart: pulumi.Resource
    scripts: pulumi.Output[str]
    """Where the lifecycle scripts are."""


def ground(*, bucket: str = "sagemaker-scripts", **network: Any) -> Ground:
    """An EKS cluster that HyperPod takes, a security group that allows itself, HyperPod's chart, and scripts in a
    bucket that keeps versions."""
    world = a_world(mode="API", **network)
    held = aws.s3.Bucket("scripts", bucket=bucket)
    aws.s3.BucketVersioning("scripts", bucket=held.id, versioning_configuration={"status": "Enabled"})
    aws.s3.BucketObjectv2("on-create", bucket=held.id, key="lifecycle/on_create.sh", content="#!/bin/bash\n")
    address = "oci://registry.example.com/charts/hyperpod-helm-chart"
    chart = kubernetes.helm.v3.Release("hyperpod-chart", chart=address, version="0.1.0", namespace="kube-system")
    role = a_role("hyperpod", "sagemaker.amazonaws.com")
    policy = "arn:aws:iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy"
    aws.iam.RolePolicyAttachment("instances", role=role.name, policy_arn=policy)
    return Ground(world, efa_group(world), role, chart, pulumi.Output.concat("s3://", held.id, "/lifecycle"))


def a_group(on: Ground, name: str = "workers", **settings: Any) -> dict[str, Any]:
    """An instance group of two p4d.24xlarge."""
    return {
        "instance_group_name": name,
        "instance_type": "ml.p4d.24xlarge",
        "instance_count": 2,
        "execution_role": on.role.arn,
        "threads_per_core": 1,
        "life_cycle_config": {"source_s3_uri": on.scripts, "on_create": "on_create.sh"},
        "instance_storage_configs": [{"ebs_volume_config": {"volume_size_in_gb": 500}}],
        **settings,
    }


def cluster(on: Ground, groups: Sequence[dict[str, Any]] = (), **settings: Any) -> aws_native.sagemaker.Cluster:
    """A HyperPod cluster in the first zone."""
    carried = [on.world.cluster_group, on.security_group.id]
    defaults: dict[str, Any] = {
        "cluster_name": "hyperpod",
        "orchestrator": {"eks": {"cluster_arn": on.world.cluster.arn}},
        "vpc_config": {"subnets": [on.world.subnets[0].id], "security_group_ids": carried},
        "node_recovery": "Automatic",
        "instance_groups": list(groups) or [a_group(on)],
    }
    needed = pulumi.ResourceOptions(depends_on=[on.chart])
    return aws_native.sagemaker.Cluster("hyperpod", **{**defaults, **settings}, opts=needed)


@shape(
    {
        "hyperpod-private-subnets": "hyperpod",
        "hyperpod-quotas-fit-cluster": "hyperpod",
        "lifecycle-source-prefix": "scripts",
    }
)
def a_hyperpod_cluster(broken: bool) -> None:
    """With a team's quota."""
    on = ground(bucket="ml-platform-scripts", map_public_ip_on_launch=True) if broken else ground()
    made = cluster(on)
    name = "amazon-sagemaker-hyperpod-taskgovernance"
    governance = aws.eks.Addon("governance", cluster_name=on.world.cluster.name, addon_name=name)
    resources: Any = [{"instance_type": "ml.p4d.24xlarge", "count": 3 if broken else 1}]
    aws_native.sagemaker.ComputeQuota(
        "research",
        name="research",
        cluster_arn=made.cluster_arn,
        compute_quota_config={"compute_quota_resources": resources},
        compute_quota_target={"team_name": "research"},
        opts=pulumi.ResourceOptions(depends_on=[governance]),
    )
