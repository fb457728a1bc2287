"""The HyperPod cluster as a request of `CreateCluster`, with the API's keys.

One place for two uses: `muster config` prints it for the AWS CLI, and `muster.infra.hyperpod` registers it.
The caller gives values that only AWS knows (ids of resources that the same program creates), as text or as outputs of
Pulumi.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.blueprint.kubernetes import Blueprint, HyperPodGroup
from muster.blueprint.logical_names import CLUSTER_REF
from muster.blueprint.tags import tags
from muster.config.description.instance_group import BatchSize, ImageUpdates, InstanceSettings
from muster.fleet.resources import HyperPodCluster, Ref, Reference, StorageVolume
from muster.fleet.resources import InstanceGroup as DerivedGroup
from muster.fleet.resources.ref import SUBNET
from muster.plain_data import drop_none

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RuntimeValues:
    """Values that only AWS or the program knows. Each may be an output of Pulumi."""

    cluster_arn: Any
    """The ARN of the EKS cluster."""
    execution_role: Any
    """The ARN of the role of the instances."""
    bundle: Callable[[str], Any]
    """Group -> the address of Muster's lifecycle scripts for it: ``s3://sagemaker-.../workers``."""
    id: Callable[[Reference], Any]
    """The id of a subnet or security group."""
    cluster_role: Any = None
    """The ARN of the autoscaler's role."""


_OFF: Mapping[str, str] = {"Mode": "Disable"}
"""Always set: UpdateCluster does not change a field that the request leaves out (unverified on AWS), so leaving it out
would turn nothing off."""


def definition(blueprint: Blueprint, given: RuntimeValues) -> Json:
    """The request.

    Args:
        blueprint: of a cluster on HyperPod.
        given: the values that the blueprint does not have.
    """
    assert blueprint.hyperpod is not None, "only a cluster on HyperPod has one"
    cluster = blueprint.hyperpod.cluster
    request: Json = {
        "ClusterName": cluster.name,
        "Orchestrator": {"Eks": {"ClusterArn": given.cluster_arn}},
        "InstanceGroups": [_group(each, given) for each in blueprint.instance_groups],
        "VpcConfig": network(cluster, given),
        "NodeRecovery": cluster.node_recovery,
        "NodeProvisioningMode": cluster.provisioning,
        "AutoScaling": _scaling(cluster),
        "ClusterRole": given.cluster_role if cluster.has_cluster_role else None,
        "TieredStorageConfig": {"Mode": "Enable", "InstanceMemoryAllocationPercentage": cluster.memory_percent}
        if cluster.memory_percent
        else dict(_OFF),
        "Tags": [{"Key": key, "Value": value} for key, value in sorted(tags(blueprint, cluster.ref.name).items())],
    }
    return drop_none(request)


def _scaling(cluster: HyperPodCluster) -> Json | None:
    """The autoscaler. Without continuous provisioning there is no autoscaler to turn off, and SageMaker may reject the
    setting."""
    if cluster.autoscaler:
        return {"Mode": "Enable", "AutoScalerType": cluster.autoscaler}
    return dict(_OFF) if cluster.provisioning else None


def _group(group: HyperPodGroup, given: RuntimeValues) -> Json:
    return drop_none(
        {
            **instance_group(group.name, group.instance_group, group.described.hyperpod, given),
            "KubernetesConfig": _kubernetes(group),
        }
    )


def instance_group(name: str, derived: DerivedGroup, own: InstanceSettings, given: RuntimeValues) -> Json:
    """What every instance group has, whichever orchestrator uses it.

    Args:
        name: its name.
        derived: its values.
        own: its settings in the description.
        given: the values that the blueprint does not have.
    """
    image = own.image
    return drop_none(
        {
            "InstanceGroupName": name,
            "InstanceType": derived.instance_type,
            "InstanceCount": derived.nodes_start,
            "MinInstanceCount": derived.minimum,
            "LifeCycleConfig": _lifecycle(name, derived, given),
            "ExecutionRole": given.execution_role,
            "ThreadsPerCore": derived.threads_per_core,
            "InstanceStorageConfigs": [{"EbsVolumeConfig": _volume(each)} for each in derived.volumes],
            "OnStartDeepHealthChecks": [each.aws for each in own.deep_health_checks] or None,
            "TrainingPlanArn": derived.training_plan,
            "CapacityRequirements": {"Spot": {}} if derived.spot else None,
            "OverrideVpcConfig": network(derived, given) if derived.own_network else None,
            "ImageId": image.id if image else None,
            "ImageReleaseVersion": image.release if image else None,
            "NetworkInterface": {"InterfaceType": derived.interface} if derived.interface else None,
            **_updates(own.updates),
        }
    )


def network(thing: HyperPodCluster | DerivedGroup, given: RuntimeValues) -> Json:
    """The subnets and security groups of a cluster or a group."""
    return {
        "SecurityGroupIds": [given.id(each) for each in thing.security_groups],
        "Subnets": [given.id(each) for each in thing.subnets],
    }


def _lifecycle(name: str, derived: DerivedGroup, given: RuntimeValues) -> Json | None:
    scripts = derived.lifecycle
    if scripts is None:
        return None
    return drop_none(
        {
            "SourceS3Uri": given.bundle(name) if isinstance(scripts.source, Ref) else scripts.source,
            "OnCreate": scripts.on_create,
            "OnInitComplete": scripts.on_init_complete,
        }
    )


def _volume(volume: StorageVolume) -> Json:
    return drop_none(
        {"VolumeSizeInGB": volume.gib, "VolumeKmsKeyId": volume.key, "RootVolume": True if volume.root else None}
    )


def _kubernetes(group: HyperPodGroup) -> Json:
    taints = [{"Key": each.key, "Value": each.value, "Effect": each.effect} for each in sorted(group.taints)]
    return drop_none({"Labels": dict(sorted(group.labels.items())), "Taints": taints or None})


def _updates(updates: ImageUpdates | None) -> Json:
    if updates is None:
        return {}
    if updates.patching:
        return {"AutoPatchConfig": {"PatchingStrategy": updates.patching.aws}}
    at_once = _batch(updates.at_once)
    deployment = drop_none(
        {
            "RollingUpdatePolicy": {"MaximumBatchSize": at_once} if at_once else None,
            "WaitIntervalInSeconds": updates.wait_seconds,
        }
    )
    in_batches = {"DeploymentConfig": deployment} if deployment else {}
    return {"ScheduledUpdateConfig": {"ScheduleExpression": updates.schedule, **in_batches}}


def _batch(size: BatchSize | None) -> Json | None:
    if size is None:
        return None
    if size.count is not None:
        return {"Type": "INSTANCE_COUNT", "Value": size.count}
    return {"Type": "CAPACITY_PERCENTAGE", "Value": size.percent}


# A HyperPod cluster's definition before any of its resources exist: values that only AWS knows are variables. Pure.
#
# The names are written as a shell reads them, and `envsubst`: ``${EKS_CLUSTER_ARN}``.

_CLUSTER_ROLE = (
    "the ARN of the role with which HyperPod's Karpenter adds nodes (SageMaker guide, "
    "sagemaker-hyperpod-eks-autoscaling-iam); `pulumi up` creates one"
)
_NOT_IN_A_NAME = re.compile(r"[^A-Z0-9]+")


def definition_with_placeholders(blueprint: Blueprint) -> tuple[dict[str, Any], dict[str, str]]:
    """The request with placeholders; and the placeholders with the sources of their values, in the request's order.

    Args:
        blueprint: of a cluster on HyperPod.
    """
    names = _Placeholders(blueprint)
    request = definition(blueprint, names.given())
    text = json.dumps(request)
    return request, dict(sorted(names.sources.items(), key=lambda named: text.index(f"${{{named[0]}}}")))


@dataclass(frozen=True, slots=True)
class _Placeholders:
    """The placeholders so far."""

    blueprint: Blueprint
    sources: dict[str, str] = field(default_factory=dict)

    def given(self) -> RuntimeValues:
        """The placeholder of a value that only AWS knows."""
        of_cluster = self.describe_cluster("arn")
        hyperpod = self.blueprint.hyperpod
        assert hyperpod is not None, "only a cluster on HyperPod has one"
        return RuntimeValues(
            cluster_arn=self.name("EKS_CLUSTER_ARN", f"the ARN of the EKS cluster: {of_cluster}"),
            execution_role=hyperpod.execution_role
            or self.name(
                "EXECUTION_ROLE",
                "the ARN of the role of the instances (SageMaker guide, IAM role for SageMaker HyperPod); `pulumi "
                f"up` creates one: output nodeGroups.{self.blueprint.instance_groups[0].name}.roleArn",
            ),
            bundle=self.bundle,
            id=self.id,
            cluster_role=hyperpod.cluster_role
            or self.name("CLUSTER_ROLE", f"{_CLUSTER_ROLE}: {self.describe_hyperpod('ClusterRole')}")
            if hyperpod.cluster.has_cluster_role
            else None,
        )

    def name(self, name: str, source: str) -> str:
        self.sources[name] = source
        return f"${{{name}}}"

    def bundle(self, group: str) -> str:
        bucket = self.name(
            "BUCKET_NAME",
            "a bucket with a name sagemaker-..., which has the lifecycle scripts of each group in a folder with the "
            "group's name; `pulumi up` creates and fills one: output hyperpod.lifecycle",
        )
        return f"s3://{bucket}/{group}"

    def id(self, reference: Reference) -> str:
        if not isinstance(reference, Ref):
            return reference
        if reference == CLUSTER_REF:
            where = self.describe_cluster("resourcesVpcConfig.clusterSecurityGroupId")
            return self.name("EKS_SECURITY_GROUP", f"the security group that EKS created for the cluster: {where}")
        variable = _NOT_IN_A_NAME.sub("_", reference.name.upper())
        if reference.type == SUBNET:
            zone = self.blueprint.subnets[str(reference)].zone
            source = f"a private subnet in {zone}; `pulumi up` creates one: output network.privateSubnets.{zone}"
            return self.name(f"SUBNET_{variable}", source)
        source = "a security group that allows all traffic from and to itself; `pulumi up` creates one: output network"
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
