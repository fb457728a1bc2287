"""The HyperPod cluster as `CreateCluster` takes it, in the API's own words.

One place for two uses: `muster hyperpod config` prints it for the AWS CLI, and `infra.hyperpod` registers it. What only
AWS knows (ids of what the same program makes) is given by the caller: text, or outputs of Pulumi.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet.blueprint import Blueprint, HyperPodGroup
from muster.fleet.description.instance_group import BatchSize, ImageUpdates
from muster.fleet.resources import HyperPodCluster, Ref, Reference, StorageVolume
from muster.fleet.resources import InstanceGroup as DerivedGroup
from muster.fleet.said import said
from muster.fleet.tags import tags
from muster.fleet.unknown import Derived

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """What only AWS, or the program that makes it, knows. All of it may be outputs of Pulumi."""

    cluster_arn: Any
    """Of the EKS cluster."""
    execution_role: Any
    """The ARN of the role of the instances."""
    bundle: Callable[[str], Any]
    """Group -> where Muster's lifecycle scripts for it are: ``s3://sagemaker-.../workers``."""
    id: Callable[[Reference], Any]
    """The id of a subnet or security group."""
    cluster_role: Any = None
    """The ARN of the autoscaler's role."""


_OFF: Mapping[str, str] = {"Mode": "Disable"}
"""Said aloud: UpdateCluster changes nothing of which nothing is said (unverified on AWS), so nothing would be turned
off."""


def definition(blueprint: Blueprint, given: Given) -> Json:
    """The request.

    Args:
        blueprint: of a cluster on HyperPod.
        given: what the blueprint does not know.
    """
    assert blueprint.hyperpod is not None, "only a cluster on HyperPod has one"
    cluster = blueprint.hyperpod.cluster
    request: Json = {
        "ClusterName": cluster.name,
        "Orchestrator": {"Eks": {"ClusterArn": given.cluster_arn}},
        "InstanceGroups": [_group(each, given) for each in blueprint.instance_groups],
        "VpcConfig": _network(cluster, given),
        "NodeRecovery": cluster.node_recovery,
        "NodeProvisioningMode": cluster.provisioning,
        "AutoScaling": _scaling(cluster),
        "ClusterRole": given.cluster_role if cluster.has_cluster_role else None,
        "TieredStorageConfig": {"Mode": "Enable", "InstanceMemoryAllocationPercentage": cluster.memory_percent}
        if cluster.memory_percent
        else dict(_OFF),
        "Tags": [{"Key": key, "Value": value} for key, value in sorted(tags(blueprint, cluster.ref.name).items())],
    }
    return said(request)


def _scaling(cluster: HyperPodCluster[Derived]) -> Json | None:
    """The autoscaler. Without continuous provisioning there is none to turn off, and perhaps no word of it is taken."""
    if cluster.autoscaler:
        return {"Mode": "Enable", "AutoScalerType": cluster.autoscaler}
    return dict(_OFF) if cluster.provisioning else None


def _group(group: HyperPodGroup, given: Given) -> Json:
    derived, described = group.instance_group, group.described
    own = described.hyperpod
    image = own.image
    return said(
        {
            "InstanceGroupName": group.name,
            "InstanceType": derived.instance_type,
            "InstanceCount": derived.nodes_start,
            "MinInstanceCount": derived.minimum,
            "LifeCycleConfig": _lifecycle(group, given),
            "ExecutionRole": given.execution_role,
            "ThreadsPerCore": derived.threads_per_core,
            "InstanceStorageConfigs": [{"EbsVolumeConfig": _volume(each)} for each in derived.volumes],
            "OnStartDeepHealthChecks": [each.aws for each in own.deep_health_checks] or None,
            "TrainingPlanArn": derived.training_plan,
            "CapacityRequirements": {"Spot": {}} if derived.spot else None,
            "OverrideVpcConfig": _network(derived, given) if derived.own_network else None,
            "ImageId": image.id if image else None,
            "ImageReleaseVersion": image.release if image else None,
            "NetworkInterface": {"InterfaceType": derived.interface} if derived.interface else None,
            "KubernetesConfig": _kubernetes(group),
            **_updates(own.updates),
        }
    )


def _network(thing: HyperPodCluster[Derived] | DerivedGroup[Derived], given: Given) -> Json:
    return {
        "SecurityGroupIds": [given.id(each) for each in thing.security_groups],
        "Subnets": [given.id(each) for each in thing.subnets],
    }


def _lifecycle(group: HyperPodGroup, given: Given) -> Json | None:
    scripts = group.instance_group.lifecycle
    if scripts is None:
        return None
    return said(
        {
            "SourceS3Uri": given.bundle(group.name) if isinstance(scripts.source, Ref) else scripts.source,
            "OnCreate": scripts.on_create,
            "OnInitComplete": scripts.on_init_complete,
        }
    )


def _volume(volume: StorageVolume[Derived]) -> Json:
    return said(
        {"VolumeSizeInGB": volume.gib, "VolumeKmsKeyId": volume.key, "RootVolume": True if volume.root else None}
    )


def _kubernetes(group: HyperPodGroup) -> Json:
    taints = [{"Key": each.key, "Value": each.value, "Effect": each.effect} for each in sorted(group.taints)]
    return said({"Labels": dict(sorted(group.labels.items())), "Taints": taints or None})


def _updates(updates: ImageUpdates | None) -> Json:
    if updates is None:
        return {}
    if updates.patching:
        return {"AutoPatchConfig": {"PatchingStrategy": updates.patching.aws}}
    at_once = _batch(updates.at_once)
    deployment = said(
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
