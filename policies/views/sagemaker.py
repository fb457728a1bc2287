"""SageMaker: HyperPod's clusters with groups, buckets of lifecycle scripts and quotas of teams; MLflow."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    ComputeQuota,
    FileSystemMount,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    LifecycleBundle,
    Place,
    QuotaAmount,
    Ref,
    Reference,
    SlurmHyperPodCluster,
    StorageVolume,
    TrackingServer,
)
from muster.fleet.resources.hyperpod import INSTANCE_GROUP, LUSTRE_MOUNT, OPENZFS_MOUNT
from muster.fleet.resources.ref import (
    BUCKET,
    CLUSTER,
    COMPUTE_QUOTA,
    DIRECTORY_BUCKET,
    HYPERPOD,
    KEY,
    LUSTRE,
    MLFLOW_APP,
    OPENZFS,
    ROLE,
    SUBNET,
    TRACKING_SERVER,
)
from muster.object_cache import cached_by_identity
from muster.plain_data import mappings_at
from muster.policies.views.eks import labels, taints
from muster.policies.views.references import BUCKETS, GROUPS
from muster.policies.views.view import Properties, Reader, View, known, one, several, unknown
from muster.unknown import UNKNOWN, UnknownType, if_known, stored

_GROUPS = "instanceGroups"
_S3 = "s3://"


def hyperpod(of: Properties) -> tuple[HyperPodCluster[UnknownType] | InstanceGroup[UnknownType], ...]:
    """Reads a HyperPod cluster's inputs: the cluster itself, and one thing for each of its instance groups. In place of
    groups that are not known there is one of which nothing is, so that rules say what they cannot judge."""
    # Slurm is the default orchestrator: the first HyperPod clusters all ran it. One that sets both is one on EKS.
    slurm = of.raw("orchestrator") is None or isinstance(of.raw("orchestrator.slurm"), Mapping)
    reads = _slurm_cluster if slurm and of.named("orchestrator.eks.clusterArn", CLUSTER) is None else _cluster
    cluster, names = reads(of, slurm=slurm), _names(of.beside)
    groups = of.known_blocks(_GROUPS) if cluster.groups_known else [of.hidden(_GROUPS)]
    return (cluster, *(_group(each, index, cluster, names) for index, each in enumerate(groups)))


def _where_enabled(block: str, read: Reader) -> Reader:
    """A setting of something that can be off; None if it is off."""
    return lambda of: read(of) if of.get(f"{block}.mode") == "Enable" else None


_CLUSTER: Mapping[str, Any] = {
    "name": "clusterName",
    "orchestrator": one("orchestrator.eks.clusterArn", CLUSTER),
    "subnets": several("vpcConfig.subnets", SUBNET),
    "security_groups": several("vpcConfig.securityGroupIds", *GROUPS),
    "node_recovery": "nodeRecovery",
    "provisioning": "nodeProvisioningMode",
    "autoscaler": _where_enabled("autoScaling", lambda of: of.text("autoScaling.autoScalerType") or "Karpenter"),
    "has_cluster_role": lambda of: of.raw("clusterRole") is not None,
    "memory_percent": _where_enabled(
        "tieredStorageConfig", lambda of: of.integer("tieredStorageConfig.instanceMemoryAllocationPercentage")
    ),
    "groups_known": lambda of: if_known(lambda: of.blocks(_GROUPS)) is not None,
    "after": lambda of: of.references.before(of.resource),
}
_cluster, _slurm_cluster = View(HyperPodCluster, **_CLUSTER), View(SlurmHyperPodCluster, **_CLUSTER)


@cached_by_identity(4)
def _names(clusters: list[Registration]) -> Counter[str]:
    """How often a program has each group's name."""
    groups = (group for each in clusters for group in mappings_at(each.inputs, _GROUPS))
    return Counter(str(group.get("instanceGroupName")) for group in groups)


def _group(
    of: Properties, index: int, cluster: HyperPodCluster[UnknownType], names: Counter[str]
) -> InstanceGroup[UnknownType]:
    """A group. Its reference is by name; by its cluster and its place there, if the name is not known or not unique."""
    name = of.raw("instanceGroupName")
    alone = isinstance(name, str) and names[name] == 1
    inherited = {"subnets": cluster.subnets, "security_groups": cluster.security_groups}
    return _instance_group(
        of,
        ref=Ref(INSTANCE_GROUP, name if alone else f"{cluster.ref.name}.{_GROUPS}[{index}]"),
        cluster=cluster.ref,
        place=Place(of.resource.urn, inside=(_GROUPS, index)),
        name=if_known(lambda: of.text("instanceGroupName"), UNKNOWN),
        **inherited if of.raw("overrideVpcConfig") is None else {},
    )


def _among(of: Properties) -> Any:
    """The groups of a cluster are one property: each unknown id may be any that one of them names."""
    subnets = "overrideVpcConfig.subnets"
    return of.among(subnets, SUBNET) if if_known(lambda: of.several(subnets, SUBNET)) is None else None


def _lifecycle(of: Properties) -> Lifecycle[UnknownType] | None:
    return None if of.get("lifeCycleConfig") is None else _scripts(of.block("lifeCycleConfig"))


def _folder(of: Properties) -> str | None:
    """The folder below the bucket."""
    uri = of.text(_URI)
    return None if uri is None else uri.removeprefix(_S3).partition("/")[2].strip("/")


def _bucket_of(of: Properties, path: str, types: frozenset[str]) -> Reference | None:
    """The bucket of this program that an address is in, or the address itself."""
    address = of.raw(path)
    if not isinstance(address, str):
        return None if address is None else known(of.named(path, *types) if address is UNKNOWN else UNKNOWN)
    bucket = of.references.of(address.removeprefix(_S3).partition("/")[0], types)
    return bucket if isinstance(bucket, Ref) and address.startswith(_S3) else address


_URI = "sourceS3Uri|sourceS3uri"
_scripts = View(
    Lifecycle,
    source=lambda of: _bucket_of(of, _URI, BUCKETS),
    on_create="onCreate",
    on_init_complete="onInitComplete",
    folder=_folder,
)

_volume = View(
    StorageVolume,
    gib="ebsVolumeConfig.volumeSizeInGb|ebsVolumeConfig.volumeSizeInGB",
    root="ebsVolumeConfig.rootVolume",
    key=one("ebsVolumeConfig.volumeKmsKeyId", KEY),
)


def _volumes(of: Properties) -> tuple[StorageVolume[UnknownType], ...]:
    listed = of.blocks("instanceStorageConfigs")
    return tuple(_volume(each) for each in listed if each.raw("ebsVolumeConfig") is not None)


_MOUNTS = {LUSTRE_MOUNT: "fsxLustreConfig", OPENZFS_MOUNT: "fsxOpenZfsConfig"}


def _mounts(of: Properties) -> tuple[FileSystemMount[UnknownType], ...]:
    return tuple(
        _mount(each.block(key), kind=kind)
        for each in of.blocks("instanceStorageConfigs")
        for kind, key in _MOUNTS.items()
        if each.raw(key) is not None
    )


def _own_mount_name(of: Properties) -> str | None:
    """The mount name of an existing file system. AWS chooses that of a file system of this program."""
    system = of.references.of(of.raw("dnsName"), (LUSTRE, OPENZFS))
    return None if isinstance(system, Ref) or system is UNKNOWN else of.text("mountName")


_mount = View(
    FileSystemMount, file_system=one("dnsName", LUSTRE, OPENZFS), mount_name=_own_mount_name, directory="mountPath"
)

_instance_group = View(
    InstanceGroup,
    instance_type="instanceType",
    role=one("executionRole", ROLE),
    nodes_start="instanceCount",
    minimum="minInstanceCount",
    subnets=several("overrideVpcConfig.subnets", SUBNET),
    security_groups=several("overrideVpcConfig.securityGroupIds", *GROUPS),
    requirements=lambda of: (
        None if of.get("instanceRequirements") is None else of.texts("instanceRequirements.instanceTypes")
    ),
    own_network=lambda of: of.raw("overrideVpcConfig") is not None,
    subnets_among=_among,
    threads_per_core="threadsPerCore",
    lifecycle=_lifecycle,
    deep_checks="onStartDeepHealthChecks",
    volumes=_volumes,
    mounts=_mounts,
    node_type="slurmConfig.nodeType",
    partitions="slurmConfig.partitionNames",
    training_plan="trainingPlanArn",
    # It names one of two empty blocks.
    spot=lambda of: of.get("capacityRequirements") is not None and of.raw("capacityRequirements.spot") is not None,
    interface="networkInterface.interfaceType",
    labels=labels("kubernetesConfig.labels"),
    taints=taints("kubernetesConfig.taints", {}),
)

_ARTIFACTS = frozenset({BUCKET, "aws:s3/bucketV2:BucketV2", DIRECTORY_BUCKET})
_SERVER: Mapping[str, Any] = {
    "artifacts": lambda of: _bucket_of(of, "artifactStoreUri", _ARTIFACTS),
    "maintenance": "weeklyMaintenanceWindowStart",
}
tracking_server = View(
    TrackingServer, name="trackingServerName", size="trackingServerSize", version="mlflowVersion", **_SERVER
)
_app = View(TrackingServer, name="name", **_SERVER)


# lifecycle scripts

_OBJECTS = frozenset({"aws:s3/bucketObject:BucketObject", "aws:s3/bucketObjectv2:BucketObjectv2"})


def lifecycle_bundle(of: Properties) -> LifecycleBundle[UnknownType] | None:
    """Reads a bucket with the scripts of a HyperPod cluster of the program; None for any other bucket."""
    return _bundle(of) if any(_has_its_scripts(each, of) for each in of.others(HYPERPOD)) else None


def _has_its_scripts(cluster: Properties, bucket: Properties) -> bool:
    if bucket.ref in cluster.behind(("instanceGroups",), *BUCKETS):
        return True
    uris = (group.raw("lifeCycleConfig.sourceS3Uri") for group in cluster.known_blocks("instanceGroups"))
    named = (uri.removeprefix("s3://").partition("/")[0] for uri in uris if isinstance(uri, str))
    return any(bucket.references.of(each, BUCKETS) == bucket.ref for each in named)


def _bucket_name(of: Properties) -> str:
    """The engine generates names that begin with the resource's name."""
    return of.text("bucket|bucketPrefix") or f"{of.resource.name}-"


def _files(of: Properties) -> frozenset[str]:
    """The keys of the program's objects in the bucket; for an object without a key, its logical name."""
    return frozenset(
        str(unknown() if bucket is UNKNOWN else each.get("key", each.resource.name))
        for each in of.others(*_OBJECTS)
        if (bucket := each.named("bucket", *BUCKETS)) in (of.ref, UNKNOWN)
    )


_bundle = View(LifecycleBundle, name=_bucket_name, files=_files)


# quotas of teams


def _cluster_of(of: Properties) -> Reference | None:
    """The cluster of this program that the ARN depends on, also when the ARN is known; else what the ARN names."""
    behind = of.behind(("clusterArn",), HYPERPOD)
    return next(iter(behind)) if len(behind) == 1 else of.one("clusterArn", HYPERPOD)


def _number(path: str) -> Reader:
    """A number, whole or not."""
    return lambda of: value if isinstance(value := of.get(path), float) else of.integer(path)


_amount = View(
    QuotaAmount,
    instance_type="instanceType",
    instances="count",
    accelerators="accelerators",
    vcpus=_number("vCpu"),
    memory_gib=_number("memoryInGiB"),
    partition="acceleratorPartition.type",
    partitions="acceleratorPartition.count",
)


def _amounts(path: str) -> Reader:
    def read(of: Properties) -> tuple[QuotaAmount[UnknownType], ...]:
        found = [_amount(each) for each in of.blocks(path)]
        types = [stored(each, "instance_type", None) for each in found]
        return tuple(found if None in types else sorted(found, key=lambda each: str(each.instance_type)))

    return read


compute_quota = View(
    ComputeQuota,
    name="name",
    team="computeQuotaTarget.teamName",
    cluster=_cluster_of,
    amounts=_amounts("computeQuotaConfig.computeQuotaResources"),
    strategy="computeQuotaConfig.resourceSharingConfig.strategy",
    borrow_percent="computeQuotaConfig.resourceSharingConfig.borrowLimit",
    borrow_limits=_amounts("computeQuotaConfig.resourceSharingConfig.absoluteBorrowLimits"),
    weight="computeQuotaTarget.fairShareWeight",
    preemption="computeQuotaConfig.preemptTeamTasks",
    enabled=lambda of: of.text("activationState") != "Disabled",
    after=lambda of: of.references.before(of.resource),
)

VIEWS: Mapping[str, Reader] = {
    HYPERPOD: hyperpod,
    COMPUTE_QUOTA: compute_quota,
    TRACKING_SERVER: tracking_server,
    MLFLOW_APP: lambda of: _app(of, size=None, serverless=True),
    **dict.fromkeys(BUCKETS, lifecycle_bundle),
}
# Two clusters may have groups with the same name.
BESIDE = {
    HYPERPOD: {HYPERPOD: ""},
    **{bucket: {HYPERPOD: "", **dict.fromkeys(_OBJECTS, "bucket")} for bucket in BUCKETS},
}
