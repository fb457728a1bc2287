"""What programs about HyperPod need and are not about: an EKS cluster, HyperPod's chart, scripts in a bucket.

As `world`: written as people write it, and nothing wrong with it yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_aws_native as aws_native
import pulumi_kubernetes as kubernetes

from muster.fleet.facts import Facts
from tests.factories import facts
from tests.policies.programs.world import World, a_role, a_world, efa_group


@dataclass
class Ground:
    """What stands before the HyperPod cluster."""

    world: World
    security_group: aws.ec2.SecurityGroup
    role: aws.iam.Role
    chart: pulumi.Resource | None
    scripts: pulumi.Output[str]
    """Where the lifecycle scripts are."""


def scripts(name: str = "sagemaker-scripts", key: str = "lifecycle/on_create.sh", **more: Any) -> aws.s3.Bucket:
    """A bucket with one script, that keeps versions."""
    bucket = aws.s3.Bucket("scripts", bucket=name, **more)
    aws.s3.BucketVersioning("scripts", bucket=bucket.id, versioning_configuration={"status": "Enabled"})
    aws.s3.BucketObjectv2("on-create", bucket=bucket.id, key=key, content="#!/bin/bash\n")
    return bucket


def chart() -> pulumi.Resource:
    """HyperPod's chart."""
    address = "oci://registry.example.com/charts/hyperpod-helm-chart"
    return kubernetes.helm.v3.Release("hyperpod-chart", chart=address, version="0.1.0", namespace="kube-system")


def ground(
    world: World | None = None, *, bucket: aws.s3.Bucket | None = None, with_chart: bool = True, **cluster: Any
) -> Ground:
    """An EKS cluster that HyperPod takes, a security group that allows itself, and the chart."""
    on = world or a_world(**{"mode": "API", **cluster})
    held = bucket or scripts()
    address = pulumi.Output.concat("s3://", held.id, "/lifecycle")
    installed = chart() if with_chart else None
    return Ground(on, efa_group(on), a_role("hyperpod", "sagemaker.amazonaws.com"), installed, address)


def a_group(on: Ground, name: str = "workers", **settings: Any) -> dict[str, Any]:
    """An instance group of two p4d.24xlarge; what is None is left out."""
    defaults: dict[str, Any] = {
        "instance_group_name": name,
        "instance_type": "ml.p4d.24xlarge",
        "instance_count": 2,
        "execution_role": on.role.arn,
        "threads_per_core": 1,
        "life_cycle_config": {"source_s3_uri": on.scripts, "on_create": "on_create.sh"},
        "instance_storage_configs": [{"ebs_volume_config": {"volume_size_in_gb": 500}}],
    }
    return {key: value for key, value in {**defaults, **settings}.items() if value is not None}


def cluster(
    on: Ground, groups: Sequence[dict[str, Any]] | None = None, name: str = "hyperpod", **settings: Any
) -> aws_native.sagemaker.Cluster:
    """A HyperPod cluster in the first zone."""
    subnet = on.world.subnets[0].id
    defaults: dict[str, Any] = {
        "cluster_name": name,
        "orchestrator": {"eks": {"cluster_arn": on.world.cluster.arn}},
        "vpc_config": {"subnets": [subnet], "security_group_ids": [on.world.cluster_group, on.security_group.id]},
        "node_recovery": "Automatic",
        "instance_groups": [a_group(on)] if groups is None else list(groups),
    }
    needed = pulumi.ResourceOptions(depends_on=[on.chart] if on.chart else [])
    return aws_native.sagemaker.Cluster(name, **{**defaults, **settings}, opts=needed)


PLAN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/spring"


def plan(**more: Any) -> Facts:
    """What SageMaker says of that plan: two p4d.24xlarge in the first zone, for HyperPod."""
    target = {"zone": "us-west-2a", "totalInstances": 2, "targets": ["hyperpod-cluster"]}
    known = {"state": "Active", "instanceType": "ml.p4d.24xlarge", **target, **more}
    return facts(trainingPlans={PLAN: {key: value for key, value in known.items() if value is not None}})


def quotas(**allowed: int) -> Facts:
    """What Service Quotas says: ``quotas(p4d=2)`` of ml.p4d.24xlarge."""
    return facts(hyperpodQuotas={f"ml.{each}.24xlarge for cluster usage": number for each, number in allowed.items()})
