"""SageMaker's resources: `AWS::SageMaker::Cluster` with its instance groups, and MLflow tracking servers."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    FileSystemMount,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    Place,
    Ref,
    Reference,
    SlurmHyperPodCluster,
    StorageVolume,
    TrackingServer,
)
from muster.fleet.resources.hyperpod import INSTANCE_GROUP, LUSTRE_MOUNT, OPENZFS_MOUNT
from muster.fleet.resources.ref import BUCKET, CLUSTER, DIRECTORY_BUCKET, HYPERPOD, KEY, LUSTRE, SUBNET
from muster.object_cache import cached_by_identity
from muster.policies.views.node_groups import labels_of, taints_of
from muster.policies.views.references import (
    BUCKETS,
    GROUPS,
    References,
    block,
    blocks,
    boolean,
    first_set,
    integer,
    known_items,
    node_count,
    text_list,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType

OTHERS = frozenset({HYPERPOD})
"""Other types that the view reads: two clusters may have groups with the same name."""

_GROUPS = "instanceGroups"
_S3 = "s3://"


def hyperpod(
    resource: Registration, references: References, clusters: list[Registration]
) -> tuple[HyperPodCluster[UnknownType] | InstanceGroup[UnknownType], ...]:
    """Reads a HyperPod cluster's inputs: the cluster itself, and one thing for each of its instance groups."""
    inputs = resource.inputs
    orchestrator, network = block(inputs, "orchestrator"), block(inputs, "vpcConfig")
    scaling, tiers = block(inputs, "autoScaling"), block(inputs, "tieredStorageConfig")
    eks, groups = block(orchestrator, "eks"), blocks(inputs.get(_GROUPS))
    reference = references.one(eks.get("clusterArn"), resource, "orchestrator", (CLUSTER,))
    # Slurm is the default orchestrator: the first HyperPod clusters all ran it. One that sets both is one on EKS.
    has_slurm = inputs.get("orchestrator") is None or isinstance(orchestrator.get("slurm"), Mapping)
    made = SlurmHyperPodCluster if has_slurm and reference is None else HyperPodCluster
    cluster = made(
        ref=references.ref(resource),
        name=text_value(inputs.get("clusterName")),
        orchestrator=reference,
        subnets=references.several(network.get("subnets"), resource, "vpcConfig", (SUBNET,)),
        security_groups=references.several(network.get("securityGroupIds"), resource, "vpcConfig", GROUPS),
        place=Place(resource.urn),
        slurm=has_slurm,
        node_recovery=text_value(inputs.get("nodeRecovery")),
        provisioning=text_value(inputs.get("nodeProvisioningMode")),
        autoscaler=_where_enabled(scaling, _or(text_value(scaling.get("autoScalerType")), "Karpenter")),
        has_cluster_role=inputs.get("clusterRole") is not None,
        memory_percent=_where_enabled(tiers, integer(tiers.get("instanceMemoryAllocationPercentage"))),
        groups_known=groups is not UNKNOWN,
        after=references.before(resource),
    )
    names = _names(clusters)
    listed = enumerate(known_items(groups))
    return (
        cluster,
        *(
            _group(
                each,
                _ref(each, index, cluster, names),
                cluster,
                resource,
                references,
                Place(resource.urn, inside=(_GROUPS, index)),
            )
            for index, each in listed
        ),
    )


def _where_enabled(settings: Mapping[str, Any], value: Any) -> Any:
    """A setting of something that can be off; None if it is off."""
    mode = settings.get("mode")
    return value if mode == "Enable" else UNKNOWN if mode is UNKNOWN else None


def _or(value: Any, default: Any) -> Any:
    """A setting, or AWS's default if nothing is set."""
    return default if value is None else value


@cached_by_identity(4)
def _names(clusters: list[Registration]) -> Counter[str]:
    """How often a program has each group's name."""
    groups = (group for each in clusters for group in known_items(blocks(each.inputs.get(_GROUPS))))
    return Counter(str(group.get("instanceGroupName")) for group in groups)


def _ref(group: Mapping[str, Any], index: int, cluster: HyperPodCluster[UnknownType], names: Counter[str]) -> Ref:
    """A reference by name; by its cluster and its place there, if the name is not known or not unique."""
    name = text_value(group.get("instanceGroupName"))
    alone = isinstance(name, str) and names[name] == 1
    return Ref(INSTANCE_GROUP, str(name) if alone else f"{cluster.ref.name}.{_GROUPS}[{index}]")


def _group(
    values: Mapping[str, Any],
    ref: Ref,
    cluster: HyperPodCluster[UnknownType],
    resource: Registration,
    references: References,
    place: Place,
) -> InstanceGroup[UnknownType]:
    network, kubernetes = block(values, "overrideVpcConfig"), block(values, "kubernetesConfig")
    own = values.get("overrideVpcConfig") is not None
    subnets = references.several(network.get("subnets"), resource, _GROUPS, (SUBNET,))
    security_groups = references.several(network.get("securityGroupIds"), resource, _GROUPS, GROUPS)

    slurm = block(values, "slurmConfig")
    types, checks = values.get("instanceRequirements"), text_list(values.get("onStartDeepHealthChecks"))
    return InstanceGroup(
        ref=ref,
        cluster=cluster.ref,
        instance_type=text_value(values.get("instanceType")),
        nodes_start=node_count(values.get("instanceCount")),
        minimum=integer(values.get("minInstanceCount")),
        subnets=subnets if own else cluster.subnets,
        security_groups=security_groups if own else cluster.security_groups,
        place=place,
        requirements=None if types is None else text_list(block(values, "instanceRequirements").get("instanceTypes")),
        own_network=own,
        # The groups of a cluster are one property: each unknown id may be any that one of them names.
        subnets_among=references.among(network.get("subnets"), resource, _GROUPS, (SUBNET,))
        if own and subnets is UNKNOWN
        else None,
        threads_per_core=integer(values.get("threadsPerCore")),
        lifecycle=_lifecycle(values, resource, references),
        deep_checks=UNKNOWN if checks is UNKNOWN else frozenset(checks),
        volumes=_volumes(values, resource, references),
        mounts=_mounts(values, resource, references),
        node_type=text_value(slurm.get("nodeType")),
        partitions=text_list(slurm.get("partitionNames")),
        training_plan=text_value(values.get("trainingPlanArn")),
        spot=_spot(values),
        interface=text_value(block(values, "networkInterface").get("interfaceType")),
        labels=labels_of(kubernetes.get("labels")),
        taints=taints_of(kubernetes.get("taints"), {}),
        name=text_value(values.get("instanceGroupName")),
    )


def _spot(values: Mapping[str, Any]) -> bool | UnknownType:
    """`CapacityRequirements` names one of two empty blocks."""
    needed = values.get("capacityRequirements")
    return UNKNOWN if needed is UNKNOWN else isinstance(needed, Mapping) and needed.get("spot") is not None


def _lifecycle(
    values: Mapping[str, Any], resource: Registration, references: References
) -> Lifecycle[UnknownType] | None | UnknownType:
    given = values.get("lifeCycleConfig")
    if given is None or given is UNKNOWN:
        return None if given is None else UNKNOWN
    scripts = block(values, "lifeCycleConfig")
    source, folder = _source(first_set(scripts, "sourceS3Uri", "sourceS3uri"), resource, references)
    return Lifecycle(source, text_value(scripts.get("onCreate")), text_value(scripts.get("onInitComplete")), folder)


def _source(
    uri: Any, resource: Registration, references: References
) -> tuple[Reference | None | UnknownType, str | None | UnknownType]:
    """The bucket of this program that an address is in, or the address itself; and the folder below the bucket."""
    if not isinstance(uri, str):
        if uri is None:
            return None, None
        return references.one(UNKNOWN, resource, _GROUPS, BUCKETS), UNKNOWN
    bucket, _, folder = uri.removeprefix(_S3).partition("/")
    found = references.of(bucket, BUCKETS)
    return (found if isinstance(found, Ref) and uri.startswith(_S3) else uri), folder.strip("/")


def _volumes(
    values: Mapping[str, Any], resource: Registration, references: References
) -> tuple[StorageVolume[UnknownType], ...] | UnknownType:
    listed = blocks(values.get("instanceStorageConfigs"))
    if listed is UNKNOWN:
        return UNKNOWN
    return tuple(_volume(each, resource, references) for each in listed if each.get("ebsVolumeConfig") is not None)


def _mounts(
    values: Mapping[str, Any], resource: Registration, references: References
) -> tuple[FileSystemMount[UnknownType], ...] | UnknownType:
    listed = blocks(values.get("instanceStorageConfigs"))
    if listed is UNKNOWN:
        return UNKNOWN
    return tuple(
        FileSystemMount(
            kind,
            references.one(mount.get("dnsName"), resource, _GROUPS, (LUSTRE,)),
            _own_mount_name(mount.get("mountName"), references.of(mount.get("dnsName"), (LUSTRE,))),
            text_value(mount.get("mountPath")),
        )
        for each in listed
        for kind, key in _MOUNTS.items()
        if each.get(key) is not None
        for mount in (block(each, key),)
    )


_MOUNTS = {LUSTRE_MOUNT: "fsxLustreConfig", OPENZFS_MOUNT: "fsxOpenZfsConfig"}


def _own_mount_name(name: Any, system: object) -> str | None | UnknownType:
    """The mount name of an existing file system. AWS chooses that of a file system of this program."""
    return None if isinstance(system, Ref) or system is UNKNOWN else text_value(name)


def _volume(config: Mapping[str, Any], resource: Registration, references: References) -> StorageVolume[UnknownType]:
    volume = block(config, "ebsVolumeConfig")
    return StorageVolume(
        gib=integer(first_set(volume, "volumeSizeInGb", "volumeSizeInGB")),
        root=_or(boolean(volume.get("rootVolume")), False),
        key=references.one(volume.get("volumeKmsKeyId"), resource, _GROUPS, (KEY,)),
    )


_S3_SCHEME = "s3://"
_BUCKETS = (BUCKET, "aws:s3/bucketV2:BucketV2", DIRECTORY_BUCKET)


def tracking_server(resource: Registration, references: References) -> TrackingServer[UnknownType]:
    """Reads a tracking server's inputs, with AWS's defaults."""
    inputs = resource.inputs
    return TrackingServer(
        ref=references.ref(resource),
        name=inputs.get("trackingServerName", UNKNOWN),
        artifacts=_bucket(inputs.get("artifactStoreUri", UNKNOWN), resource, references),
        place=Place(resource.urn),
        size=UNKNOWN if (size := text_value(inputs.get("trackingServerSize", "Small"))) is None else size,
        version=text_value(inputs.get("mlflowVersion")),
        maintenance=text_value(inputs.get("weeklyMaintenanceWindowStart")),
    )


def mlflow_app(resource: Registration, references: References) -> TrackingServer[UnknownType]:
    """Reads the inputs of a serverless MLflow App."""
    inputs = resource.inputs
    return TrackingServer(
        ref=references.ref(resource),
        name=inputs.get("name", UNKNOWN),
        artifacts=_bucket(inputs.get("artifactStoreUri", UNKNOWN), resource, references),
        place=Place(resource.urn),
        size=None,
        maintenance=text_value(inputs.get("weeklyMaintenanceWindowStart")),
        serverless=True,
    )


def _bucket(address: Any, resource: Registration, references: References) -> Reference | UnknownType:
    """The bucket of this program that an address is in, or the address itself."""
    if not isinstance(address, str):
        found = references.one(UNKNOWN, resource, "artifactStoreUri", _BUCKETS)
        return UNKNOWN if found is None else found
    bucket = references.of(address.removeprefix(_S3_SCHEME).partition("/")[0], _BUCKETS)
    return bucket if isinstance(bucket, Ref) and address.startswith(_S3_SCHEME) else address
