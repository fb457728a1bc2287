"""The HyperPod cluster as a request of `CreateCluster`, with the API's keys.

One place for two uses: `muster config` prints it for the AWS CLI, and `muster.infra.hyperpod` registers it.
The caller gives values that only AWS knows (ids of resources that the same program creates), as text or as outputs of
Pulumi. Slurm's topology is in the request (`SlurmConfig`, `Orchestrator.Slurm`): AWS recommends that for new clusters,
and HyperPod refuses it together with a `provisioning_parameters.json` (SageMaker guide, sagemaker-hyperpod-ref and
sagemaker-hyperpod-slurm-api-config-migration).
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint, ServiceNodes
from muster.blueprint.group import HyperPodGroup
from muster.blueprint.logical_names import CLUSTER_REF, tags
from muster.config.description.cluster import Cluster
from muster.config.description.hyperpod_settings import ConfigStrategy, Provisioning
from muster.config.description.instance_group import BatchSize, ImageUpdates, InstanceSettings
from muster.fleet.resources import FileSystemMount, HyperPodCluster, InstanceGroup, Ref, Reference, StorageVolume
from muster.fleet.resources.hyperpod import LUSTRE_MOUNT
from muster.fleet.resources.ref import SUBNET
from muster.plain_data import drop_none

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeValues:
    """Values that only AWS or the program knows. Each may be an output of Pulumi."""

    execution_role: Any
    """The ARN of the role of the instances."""
    id: Callable[[Reference], Any]
    """The id of a subnet or security group."""
    cluster_arn: Any = None
    """The ARN of the EKS cluster."""
    cluster_role: Any = None
    """The ARN of the autoscaler's role."""
    bundle: Callable[[str], Any] = str
    """Group -> the address of Muster's lifecycle scripts for it: ``s3://sagemaker-.../workers``."""
    lustre: Callable[[Reference], tuple[Any, Any]] = lambda reference: (reference, None)
    """The DNS name and the mount name of a file system that the program creates."""


_OFF: Mapping[str, str] = {"Mode": "Disable"}
"""Always set: UpdateCluster does not change a field that the request leaves out (unverified on AWS), so leaving it out
would turn nothing off."""


def definition(blueprint: ClusterBlueprint, given: RuntimeValues) -> Json:
    """The request.

    Args:
        blueprint: of a cluster on HyperPod, with either orchestrator.
        given: the values that the blueprint does not have.
    """
    cluster = blueprint.hyperpod_cluster
    assert cluster is not None, "only a cluster on HyperPod has one"
    nodes: tuple[ServiceNodes | HyperPodGroup, ...] = (*blueprint.service_nodes, *blueprint.instance_groups)
    request: Json = {
        "ClusterName": cluster.name,
        "Orchestrator": {"Eks": {"ClusterArn": given.cluster_arn}}
        if blueprint.on_kubernetes
        else {"Slurm": _slurm(blueprint.described)},
        "InstanceGroups": [_instance_group(each.name, each.resource, each.described.hyperpod, given) for each in nodes],
        "VpcConfig": _network(cluster, given),
        "NodeRecovery": cluster.node_recovery,
        "NodeProvisioningMode": cluster.provisioning,
        **(_settings(cluster, given) if blueprint.on_kubernetes else {}),
        "Tags": [{"Key": key, "Value": value} for key, value in sorted(tags(blueprint, cluster.ref.name).items())],
    }
    return drop_none(request)


def _settings(cluster: HyperPodCluster, given: RuntimeValues) -> Json:
    """What only clusters with EKS have."""
    memory = cluster.memory_percent
    return {
        "AutoScaling": _scaling(cluster),
        "ClusterRole": given.cluster_role if cluster.has_cluster_role else None,
        "TieredStorageConfig": {"Mode": "Enable", "InstanceMemoryAllocationPercentage": memory}
        if memory
        else dict(_OFF),
    }


def _slurm(described: Cluster) -> Json:
    own, accounting = described.hyperpod, described.accounting
    continuous = own.provisioning is Provisioning.CONTINUOUS
    strategy = None if continuous else (own.config_strategy or ConfigStrategy.MANAGED)
    return drop_none(
        {
            "SlurmConfigStrategy": strategy.value.capitalize() if strategy else None,
            "Accounting": drop_none(
                {
                    "Endpoint": accounting.endpoint,
                    "Port": accounting.port,
                    "Name": accounting.database,
                    "SecretArn": accounting.secret,
                }
            )
            if accounting
            else None,
        }
    )


def _scaling(cluster: HyperPodCluster) -> Json | None:
    """The autoscaler. Without continuous provisioning there is no autoscaler to turn off, and SageMaker may reject the
    setting."""
    if cluster.autoscaler:
        return {"Mode": "Enable", "AutoScalerType": cluster.autoscaler}
    return dict(_OFF) if cluster.provisioning else None


def _instance_group(name: str, derived: InstanceGroup, own: InstanceSettings, given: RuntimeValues) -> Json:
    """An instance group.

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
            "InstanceStorageConfigs": [
                *({each.kind: _mount(each, given)} for each in derived.mounts),
                *({"EbsVolumeConfig": _volume(each)} for each in derived.volumes),
            ],
            "OnStartDeepHealthChecks": [each.aws for each in own.deep_health_checks] or None,
            "TrainingPlanArn": derived.training_plan,
            "CapacityRequirements": {"Spot": {}} if derived.spot else None,
            "OverrideVpcConfig": _network(derived, given) if derived.own_network else None,
            "ImageId": image.id if image else None,
            "ImageReleaseVersion": image.release if image else None,
            "NetworkInterface": {"InterfaceType": derived.interface} if derived.interface else None,
            **_updates(own.updates),
            **(_in_slurm(derived) if derived.node_type else _in_kubernetes(derived)),
        }
    )


def _in_slurm(derived: InstanceGroup) -> Json:
    return {"SlurmConfig": drop_none({"NodeType": derived.node_type, "PartitionNames": [*derived.partitions] or None})}


def _in_kubernetes(derived: InstanceGroup) -> Json:
    taints = [{"Key": each.key, "Value": each.value, "Effect": each.effect} for each in sorted(derived.taints)]
    return {"KubernetesConfig": drop_none({"Labels": dict(sorted(derived.labels)), "Taints": taints or None})}


def _mount(mount: FileSystemMount, given: RuntimeValues) -> Json:
    system = mount.file_system
    assert system is not None, "every mount has a file system"
    dns, name = given.lustre(system) if isinstance(system, Ref) else (system, mount.mount_name)
    return drop_none(
        {"DnsName": dns, "MountName": name if mount.kind == LUSTRE_MOUNT else None, "MountPath": mount.directory}
    )


def _network(thing: HyperPodCluster | InstanceGroup, given: RuntimeValues) -> Json:
    """The subnets and security groups of a cluster or a group."""
    return {
        "SecurityGroupIds": [given.id(each) for each in thing.security_groups],
        "Subnets": [given.id(each) for each in thing.subnets],
    }


def _lifecycle(name: str, derived: InstanceGroup, given: RuntimeValues) -> Json | None:
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


def definition_with_placeholders(blueprint: ClusterBlueprint) -> tuple[dict[str, Any], dict[str, str]]:
    """The request with placeholders; and the placeholders with the sources of their values, in the request's order.

    Args:
        blueprint: of a cluster on HyperPod, with either orchestrator.
    """
    names = _Placeholders(blueprint)
    request = definition(blueprint, names.given())
    text = json.dumps(request)
    return request, dict(sorted(names.sources.items(), key=lambda named: text.index(f"${{{named[0]}}}")))


@dataclass(frozen=True, slots=True)
class _Placeholders:
    """The placeholders so far."""

    blueprint: ClusterBlueprint
    sources: dict[str, str] = field(default_factory=dict)

    def given(self) -> RuntimeValues:
        """The placeholder of a value that only AWS knows."""
        kubernetes, own = self.blueprint.on_kubernetes, self.blueprint.described.hyperpod
        cluster = self.blueprint.hyperpod_cluster
        output = f"nodeGroups.{self.blueprint.instance_groups[0].name}.roleArn" if kubernetes else "cluster.roleArn"
        role = own.execution_role or self.name(
            "EXECUTION_ROLE",
            "the ARN of the role of the instances (SageMaker guide, IAM role for SageMaker HyperPod); `pulumi up` "
            f"creates one: output {output}",
        )
        arn = f"the ARN of the EKS cluster: {self.describe_cluster('arn')}"
        scaler = None
        if cluster and cluster.has_cluster_role:
            scaler = own.cluster_role or self.name(
                "CLUSTER_ROLE", f"{_CLUSTER_ROLE}: {self.describe_hyperpod('ClusterRole')}"
            )
        return RuntimeValues(
            cluster_arn=self.name("EKS_CLUSTER_ARN", arn) if kubernetes else None,
            execution_role=role,
            bundle=self.bundle,
            id=self.id,
            cluster_role=scaler,
            lustre=self.lustre,
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
        source = "a security group that allows all traffic from and to itself"
        source += "" if self.blueprint.on_kubernetes else ", and to everywhere"
        output = f"output network.securityGroups.{reference.name}"
        return self.name(f"SECURITY_GROUP_{variable}", f"{source}; `pulumi up` creates one: {output}")

    def lustre(self, reference: Reference) -> tuple[str, str]:
        file_system = reference.name if isinstance(reference, Ref) else reference
        variable = _NOT_IN_A_NAME.sub("_", file_system.upper())
        of = f"of the file system {file_system}; `pulumi up` creates one: output storage.{file_system}"
        return (
            self.name(f"{variable}_DNS_NAME", f"the DNS name {of}.dnsName"),
            self.name(f"{variable}_MOUNT_NAME", f"the mount name {of}.mountName"),
        )

    def describe_cluster(self, query: str) -> str:
        cluster, region = self.blueprint.cluster_name, self.blueprint.region
        return f"aws eks describe-cluster --region {region} --name {cluster} --query cluster.{query} --output text"

    def describe_hyperpod(self, query: str) -> str:
        assert self.blueprint.hyperpod_cluster is not None
        cluster, region = self.blueprint.hyperpod_cluster.name, self.blueprint.region
        return (
            f"aws sagemaker describe-cluster --region {region} --cluster-name {cluster} --query {query} --output text"
        )
