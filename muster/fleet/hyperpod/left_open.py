"""A HyperPod cluster's definition before anything of it is made: what only AWS knows is a name to fill in. Pure.

The names are written as a shell reads them, and `envsubst`: ``${EKS_CLUSTER_ARN}``.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from muster.fleet.blueprint import Blueprint
from muster.fleet.derive.refs import CLUSTER_REF
from muster.fleet.hyperpod.definition import Given, definition
from muster.fleet.resources import Ref, Reference
from muster.fleet.resources.place import SUBNET

_CLUSTER_ROLE = (
    "the ARN of the role by which HyperPod's Karpenter adds nodes (SageMaker guide, "
    "sagemaker-hyperpod-eks-autoscaling-iam); `pulumi up` makes one"
)
_NOT_IN_A_NAME = re.compile(r"[^A-Z0-9]+")


def left_open(blueprint: Blueprint) -> tuple[dict[str, Any], dict[str, str]]:
    """The request with names in it, and each name with where its value comes from, in the request's order.

    Args:
        blueprint: of a cluster on HyperPod.
    """
    names = _Names(blueprint)
    request = definition(blueprint, names.given())
    text = json.dumps(request)
    return request, dict(sorted(names.sources.items(), key=lambda named: text.index(f"${{{named[0]}}}")))


@dataclass(frozen=True, slots=True)
class _Names:
    """What has been left open so far."""

    blueprint: Blueprint
    sources: dict[str, str] = field(default_factory=dict)

    def given(self) -> Given:
        """What stands in place of what AWS knows."""
        of_cluster = self.describe_cluster("arn")
        hyperpod = self.blueprint.hyperpod
        return Given(
            cluster_arn=self.name("EKS_CLUSTER_ARN", f"the EKS cluster's ARN: {of_cluster}"),
            execution_role=self.name(
                "EXECUTION_ROLE",
                "the ARN of the instances' role (SageMaker guide, IAM role for SageMaker HyperPod); "
                f"`pulumi up` makes one: output nodeGroups.{self.blueprint.instance_groups[0].name}.roleArn",
            ),
            bundle=self.bundle,
            id=self.id,
            cluster_role=self.name("CLUSTER_ROLE", f"{_CLUSTER_ROLE}: {self.describe_hyperpod('ClusterRole')}")
            if hyperpod and hyperpod.cluster.has_cluster_role
            else None,
        )

    def name(self, name: str, source: str) -> str:
        self.sources[name] = source
        return f"${{{name}}}"

    def bundle(self, group: str) -> str:
        bucket = self.name(
            "BUCKET_NAME",
            "a bucket called sagemaker-..., with each group's lifecycle scripts in a folder of the group's name; "
            "`pulumi up` makes and fills one: output hyperpod.lifecycle",
        )
        return f"s3://{bucket}/{group}"

    def id(self, reference: Reference) -> str:
        if not isinstance(reference, Ref):
            return reference
        if reference == CLUSTER_REF:
            where = self.describe_cluster("resourcesVpcConfig.clusterSecurityGroupId")
            return self.name("EKS_SECURITY_GROUP", f"the security group that EKS gives the cluster: {where}")
        variable = _NOT_IN_A_NAME.sub("_", reference.name.upper())
        if reference.type == SUBNET:
            zone = self.blueprint.subnets[str(reference)].zone
            source = f"a private subnet in {zone}; `pulumi up` makes one: output network.privateSubnets.{zone}"
            return self.name(f"SUBNET_{variable}", source)
        source = (
            "a security group that allows all traffic of its own, in and out; `pulumi up` makes one: output network"
        )
        return self.name(f"SECURITY_GROUP_{variable}", f"{source}.securityGroups.{reference.name}")

    def describe_cluster(self, query: str) -> str:
        cluster, region = self.blueprint.cluster_name, self.blueprint.region
        return f"aws eks describe-cluster --region {region} --name {cluster} --query cluster.{query} --output text"

    def describe_hyperpod(self, query: str) -> str:
        assert self.blueprint.hyperpod is not None
        cluster, region = self.blueprint.hyperpod.cluster.name, self.blueprint.region
        return (
            f"aws sagemaker describe-cluster --region {region} --cluster-name {cluster} --query {query} --output text"
        )
