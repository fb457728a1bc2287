"""Programs about HyperPod's add-ons: task governance and the inference operator."""

from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_aws_native as aws_native

from tests.policies.programs.hyperpod_cluster import cluster, ground
from tests.policies.programs.pairs import breaks, keeps


def quota(*, instances: int = 1, kind: str = "ml.p4d.24xlarge", waits: bool = True, with_addon: bool = True) -> None:
    """A cluster of two p4d.24xlarge, and a team."""
    on = ground()
    hyperpod = cluster(on)
    needed: list[pulumi.Resource] = []
    if with_addon:
        name = "amazon-sagemaker-hyperpod-taskgovernance"
        needed = [aws.eks.Addon("governance", cluster_name=on.world.cluster.name, addon_name=name)]
    resources: Any = [{"instance_type": kind, "count": instances}]
    aws_native.sagemaker.ComputeQuota(
        "research",
        name="research",
        cluster_arn=hyperpod.cluster_arn,
        compute_quota_config={"compute_quota_resources": resources},
        compute_quota_target={"team_name": "research"},
        opts=pulumi.ResourceOptions(depends_on=needed if waits else []),
    )


keeps("hyperpod-quotas-fit-cluster")(quota)
breaks("hyperpod-quotas-fit-cluster", "A quota of more instances than the cluster has.", at={"hyperpod"})(
    lambda: quota(instances=3)
)


def inference(*needed: str) -> None:
    """HyperPod's inference operator, with other EKS add-ons."""
    on = ground()
    for name in ("amazon-sagemaker-hyperpod-inference", *needed):
        aws.eks.Addon(name, cluster_name=on.world.cluster.name, addon_name=name)
