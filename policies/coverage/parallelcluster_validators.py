"""What ParallelCluster's own validators judge, and where Muster judges the same.

One row for each validator of `pcluster.validators` that runs on a cluster's configuration (aws-parallelcluster 3.16.1;
those of `build-image` are not here). A row is about what Muster writes; its rules also judge foreign programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class By(StrEnum):
    """Why AWS does not refuse a configuration of Muster's."""

    LAW = "the description's schema"
    RULE = "rules"
    NEVER = "Muster writes nothing that can fail it"
    AWS = "only AWS knows"


@dataclass(frozen=True, slots=True)
class Answer:
    """Where Muster judges the same."""

    by: By
    rules: tuple[str, ...] = ()
    why: str = ""
    """A clause about what the validator judges: what the schema refuses, why nothing can fail, what only AWS knows, or
    what the rules leave to the validator."""


def _rules(*ids: str, why: str = "") -> Answer:
    return Answer(By.RULE, ids, why)


def _law(why: str, *ids: str) -> Answer:
    return Answer(By.LAW, ids, why)


def _never(why: str, *ids: str) -> Answer:
    return Answer(By.NEVER, ids, why)


def _aws(why: str, *ids: str) -> Answer:
    return Answer(By.AWS, ids, why)


_FLEXIBLE = "a group has one instance type, and Muster writes no lists of types"
_LDAP = "Muster never writes DirectoryService"
_EFS = "Muster never writes EFS file systems"
_LUSTRE = "Muster creates file systems itself, and ParallelCluster mounts them by their ids"
_ULTRA = "only DescribeCapacityBlockStatus reports the health and size of UltraServers"

VALIDATORS: Mapping[str, Answer] = {
    # the cluster
    "RegionValidator": _aws("each release of ParallelCluster has its own list of Regions"),
    "FeatureRegionValidator": _never("only isolated Regions lack a feature, and Muster supports none of them"),
    "ClusterNameValidator": _rules("parallelcluster-name-legal"),
    "SchedulerValidator": _never("slurm is the only scheduler that Muster writes"),
    "ArchitectureOsValidator": _never("every operating system of 3.16.1 is available for both architectures"),
    "OsCustomAmiValidator": _rules("parallelcluster-image-made-for-os"),
    "CustomAmiTagValidator": _rules("parallelcluster-image-of-version", why="an AMI without tags is only a warning"),
    "AmiOsCompatibleValidator": _rules("parallelcluster-image-of-version", "parallelcluster-image-made-for-os"),
    "RootVolumeSizeValidator": _rules("parallelcluster-root-volume-holds-image"),
    "RootVolumeEncryptionConsistencyValidator": _never("all root volumes are encrypted, which is the default"),
    "SubnetsValidator": _rules(
        "named-things-in-vpc", "vpc-resolves-names", why="3.16.1 runs it only for clusters with LoginNodes"
    ),
    "SecurityGroupsValidator": _aws("only DescribeSecurityGroups reports whether a group exists"),
    "MixedSecurityGroupOverwriteValidator": _never(
        "Muster only adds security groups to ParallelCluster's own", "parallelcluster-security-groups-alike"
    ),
    "LambdaFunctionsVpcConfigValidator": _never("the Lambda functions are not in a VPC"),
    "HostedZoneValidator": _never("Muster never writes HostedZoneId"),
    "S3BucketValidator": _never("Muster never writes CustomS3Bucket"),
    "S3BucketRegionValidator": _never("Muster never writes CustomS3Bucket"),
    "UrlValidator": _aws("only a request shows whether an address answers", "parallelcluster-scripts-readable"),
    "CliAttributeOverridesValidator": _never("Muster writes no DevSettings except timeouts"),
    "ExtraChefAttributesValidator": _never("Muster writes no DevSettings except timeouts"),
    "IntelHpcOsValidator": _never("Muster never writes AdditionalPackages"),
    "IntelHpcArchitectureValidator": _never("Muster never writes AdditionalPackages"),
    "LogRotationValidator": _never("log rotation and CloudWatch logs are both on, which is the default"),
    "DetailedMonitoringValidator": _never("it only warns that detailed monitoring costs more, and refuses nothing"),
    # roles
    "RoleValidator": _aws("only GetRole reports whether a role exists"),
    "InstanceProfileValidator": _never("Muster never writes InstanceProfile"),
    "IamPolicyValidator": _aws("only GetPolicy reports whether a policy exists"),
    "AdditionalIamPolicyValidator": _aws("only GetPolicy reports whether a policy exists"),
    "IamResourcePrefixValidator": _never("Muster never writes ResourcePrefix"),
    # directory
    "DomainAddrValidator": _never(_LDAP),
    "DomainNameValidator": _never(_LDAP),
    "LdapTlsReqCertValidator": _never(_LDAP),
    "AdditionalSssdConfigsValidator": _never(_LDAP),
    "PasswordSecretArnValidator": _rules(
        "parallelcluster-accounting-legal", why="only DescribeSecret reports whether the secret exists"
    ),
    # the head node
    "HeadNodeLaunchTemplateValidator": _aws("only a dry run of RunInstances checks capacity, quotas and permissions"),
    "HeadNodeMemorySizeValidator": _rules("parallelcluster-head-memory-suffices"),
    "KeyPairValidator": _rules(
        "parallelcluster-key-fits-os", why="only DescribeKeyPairs reports whether a key pair of that name exists"
    ),
    "ElasticIpValidator": _never("Muster writes ElasticIp only as true, an address that ParallelCluster creates"),
    "DcvValidator": _never("Muster never writes Dcv"),
    "SharedStorageEfsSettingsValidator": _never(_EFS),
    # queues and compute resources
    "NameValidator": _rules("parallelcluster-names-legal"),
    "DuplicateNameValidator": _rules("parallelcluster-names-distinct"),
    "MaxCountValidator": _rules("parallelcluster-counts-within-limits"),
    "QueueSubnetsValidator": _rules("parallelcluster-queue-subnets-apart"),
    "SingleInstanceTypeSubnetValidator": _rules("parallelcluster-queue-one-subnet"),
    "ComputeResourceSizeValidator": _rules("nodes-in-order", "parallelcluster-block-fixed"),
    "ComputeResourceLaunchTemplateValidator": _aws(
        "only a dry run of RunInstances checks capacity, quotas and permissions"
    ),
    "ComputeResourceTagsValidator": _rules("parallelcluster-tags-legal"),
    "LaunchTemplateValidator": _never("Muster never writes LaunchTemplateOverrides"),
    "SlurmNodePrioritiesWarningValidator": _never("Muster keeps the default priorities, 1 and 1000"),
    "SchedulableMemoryValidator": _rules("parallelcluster-memory-within-instance"),
    "InstanceTypeMemoryInfoValidator": _never("the hardware table has the memory of every type"),
    "InstanceTypeValidator": _law("it refuses a type that is not in the hardware table, and suggests the nearest"),
    "InstanceTypeBaseAMICompatibleValidator": _rules(
        "parallelcluster-one-architecture",
        "parallelcluster-image-drives-type",
        why="only DescribeImages reports the architecture of a custom AMI",
    ),
    "InstanceArchitectureCompatibilityValidator": _rules("parallelcluster-one-architecture"),
    "InstanceTypeOSCompatibleValidator": _rules("parallelcluster-os-runs-type"),
    "InstanceTypeAcceleratorManufacturerValidator": _never(
        "it warns of accelerators that are not NVIDIA's or AWS's, and the hardware table has none",
        "parallelcluster-neuron-software",
    ),
    "InstanceTypePlacementGroupValidator": _aws("Muster has no table of the PlacementGroupInfo of types"),
    "MultiNetworkInterfacesInstancesValidator": _rules(
        "several-interfaces-no-public-ip", "several-interfaces-private-subnets"
    ),
    # EFA and placement
    "EfaValidator": _rules("efa-fits-instance", "efa-used-fully", "parallelcluster-gdr-beside-efa"),
    "EfaOsArchitectureValidator": _never("EFA is available for every operating system of 3.16.1"),
    "EfaPlacementGroupValidator": _rules(
        "parallelcluster-efa-placement-stated",
        why="the validator only warns if placement is off, which may be intended",
    ),
    "EfaSecurityGroupValidator": _never(
        "Muster only adds security groups to ParallelCluster's own, which allow traffic among themselves",
        "efa-security-groups-allow-themselves",
    ),
    "EfaMultiAzValidator": _rules("efa-single-zone"),
    "MultiAzPlacementGroupValidator": _rules("parallelcluster-queue-one-subnet", "placement-group-one-zone"),
    "PlacementGroupNamingValidator": _rules(
        "parallelcluster-placement-named-once", why="only DescribePlacementGroups reports whether a group exists"
    ),
    "PlacementGroupCapacityTypeValidator": _rules("capacity-block-no-placement-group"),
    "PlacementGroupCapacityReservationValidator": _rules("placement-group-by-provenance"),
    # capacity
    "CapacityTypeValidator": _rules(
        "parallelcluster-block-fixed",
        "capacity-block-instance-type",
        "spot-type-sold",
    ),
    "CapacityReservationValidator": _rules(
        "parallelcluster-reservation-single-type",
        "parallelcluster-block-fixed",
        "reservation-instance-type-matches",
        "reservation-usable",
        "reservation-zone-matches-subnet",
    ),
    "CapacityReservationSizeValidator": _rules("reservation-covers-nodes"),
    "CapacityReservationResourceGroupValidator": _rules(
        "reservation-group-configured", "reservation-instance-type-matches", "reservation-zone-matches-subnet"
    ),
    "CapacityBlockHealthStatusValidator": _aws(_ULTRA),
    "UltraserverCapacityBlockSizeValidator": _aws(_ULTRA),
    "InstancesAllocationStrategyValidator": _never(_FLEXIBLE, "parallelcluster-allocation-strategy-fits"),
    "InstancesCPUValidator": _never(_FLEXIBLE, "parallelcluster-types-alike"),
    "InstancesAcceleratorsValidator": _never(_FLEXIBLE, "parallelcluster-types-alike"),
    "InstancesEFAValidator": _never(_FLEXIBLE, "efa-fits-instance"),
    "InstancesNetworkingValidator": _never(_FLEXIBLE),
    "InstancesMemorySchedulingWarningValidator": _never(_FLEXIBLE),
    # storage
    "SharedStorageNameValidator": _rules("parallelcluster-storage-names-legal"),
    "SharedStorageMountDirValidator": _rules("parallelcluster-mount-dir-usable"),
    "DuplicateMountDirValidator": _rules("parallelcluster-mount-dirs-apart"),
    "OverlappingMountDirValidator": _rules("parallelcluster-mount-dirs-apart"),
    "NumberOfStorageValidator": _rules("parallelcluster-storage-within-limits"),
    "DeletionPolicyValidator": _never(
        "it only explains what a deletion policy does, and refuses nothing", "parallelcluster-data-kept"
    ),
    "SharedFileCacheNotHomeValidator": _never("Muster never writes file caches"),
    "SharedEbsPerformanceBottleNeckValidator": _rules("parallelcluster-shared-volume-serves-fleet"),
    "SharedEbsVolumeIdValidator": _never("Muster never writes VolumeId"),
    "EbsVolumeSizeSnapshotValidator": _never("Muster never writes SnapshotId"),
    "EbsVolumeTypeSizeValidator": _rules("parallelcluster-volumes-legal"),
    "EbsVolumeIopsValidator": _rules("parallelcluster-volumes-legal"),
    "EbsVolumeThroughputValidator": _rules("parallelcluster-volumes-legal"),
    "EbsVolumeThroughputIopsValidator": _rules("parallelcluster-volumes-legal"),
    "MultiAzEbsVolumeValidator": _never(
        "Muster never writes an existing volume, and about zones it only warns of costs"
    ),
    "MultiAzRootVolumeValidator": _never("it only warns of the costs of several zones, and refuses nothing"),
    "KmsKeyValidator": _never("Muster never writes KmsKeyId"),
    "KmsKeyIdEncryptedValidator": _never("Muster never writes KmsKeyId"),
    "EfsIdValidator": _never(_EFS),
    "EfsMountOptionsValidator": _never(_EFS),
    "EfsAccessPointOptionsValidator": _never(_EFS),
    "FsxArchitectureOsValidator": _never("the Lustre client is available for every operating system of 3.16.1"),
    "ExistingFsxNetworkingValidator": _rules("lustre-ports-open", why="only FSx reports the VPC of a file system"),
    "UnmanagedFsxMultiAzValidator": _never("it only warns of the costs of other zones, and refuses nothing"),
    "ManagedFsxMultiAzValidator": _never(_LUSTRE, "lustre-single-subnet"),
    "FsxS3Validator": _never(_LUSTRE, "lustre-import-path-complete"),
    "FsxDraValidator": _never(_LUSTRE, "lustre-associations-allowed"),
    "FsxPersistentOptionsValidator": _never(
        _LUSTRE, "lustre-throughput-fits-type", "lustre-key-and-backups-persistent"
    ),
    "FsxBackupOptionsValidator": _never(_LUSTRE, "lustre-key-and-backups-persistent", "lustre-backups-without-s3"),
    "FsxStorageTypeOptionsValidator": _never(_LUSTRE, "lustre-disk-fits-type", "lustre-throughput-fits-type"),
    "FsxStorageCapacityValidator": _never(_LUSTRE, "lustre-size-valid"),
    "FsxBackupIdValidator": _never(_LUSTRE),
    "FsxAutoImportValidator": _never(_LUSTRE),
    "S3BucketUriValidator": _never(_LUSTRE),
    # Slurm
    "DatabaseUriValidator": _rules("parallelcluster-accounting-legal"),
    "CustomSlurmSettingsValidator": _rules("parallelcluster-slurm-settings-allowed"),
    "CustomSlurmNodeNamesValidator": _rules("parallelcluster-slurm-settings-allowed"),
    "CustomSlurmSettingsIncludeFileOnlyValidator": _never("Muster never writes CustomSlurmSettingsIncludeFile"),
    "ExternalSlurmdbdVsDatabaseIncompatibility": _never(
        "Muster never writes ExternalSlurmdbd", "parallelcluster-accounting-legal"
    ),
    "ExternalSlurmdbdRequiresCustomMungeKey": _never(
        "Muster never writes ExternalSlurmdbd", "parallelcluster-accounting-legal"
    ),
    "ExternalSlurmdbdTrafficNotEncrypted": _never("Muster never writes ExternalSlurmdbd"),
    "ArnServiceAndResourceValidator": _never("Muster never writes MungeKeySecretArn"),
    "MungeKeySecretSizeAndBase64Validator": _never("Muster never writes MungeKeySecretArn"),
}
"""Validator -> where Muster judges the same."""


SCHEMA_KEYS: Mapping[str, tuple[str, ...]] = {
    "SubnetId": ("group-has-subnet", "zone-in-region"),
    "SubnetIds": ("group-has-subnet", "zone-in-region"),
    "Tags": ("parallelcluster-tags-legal",),
}
"""Key of the configuration -> rules whose findings explain why the package's schema refuses the key. For example, if
there is no subnet in the requested zone, Muster has no subnet to write."""


# The mistakes that must not pass on ParallelCluster, by name, and who refuses each.
#
# A test makes each of them, in a description and in the configuration that AWS would get, and compares both columns
# with what refuses it.

SCHEMA = "schema"
"""In place of a rule: the schema of the description refuses it, before any rule judges. In place of a validator: the
package's own schema refuses it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Who refuses a mistake."""

    ours: str
    """A rule's id, or `SCHEMA`."""
    aws: tuple[str, ...] = ()
    """`SCHEMA`, or the validators that refuse it; none if AWS's package does not check it."""
    why: str = ""
    """What AWS's package does instead of refusing it, or what it does not see."""


BREAKS: Mapping[str, Refusal] = {
    "both a reservation's id and a reservation group": Refusal(SCHEMA, (SCHEMA,)),
    "EFA on m5": Refusal("efa-fits-instance", ("EfaValidator",)),
    "several subnets with EFA": Refusal(
        "efa-single-zone",
        ("EfaMultiAzValidator", "MultiAzPlacementGroupValidator", "SingleInstanceTypeSubnetValidator"),
    ),
    "a Capacity Block with a minimum of nodes below the maximum": Refusal(
        "parallelcluster-block-fixed", ("ComputeResourceSizeValidator",)
    ),
    "alinux2": Refusal(SCHEMA, (SCHEMA,)),
    "an unknown key": Refusal(SCHEMA, (SCHEMA,)),
    "a placement group on a reservation that AWS provided": Refusal(
        "placement-group-by-provenance",
        why="it warns of a placement group that the reservation is not in, but does not know who provided the "
        "reservation",
    ),
    "a file system with a throughput that FSx does not offer": Refusal(
        "lustre-throughput-fits-type",
        why="it mounts Muster's file systems by their ids, and its schema checks the throughput only of file systems "
        "that it creates",
    ),
    "a queue's name that is too long": Refusal(SCHEMA, ("NameValidator",)),
    "a reservation in another zone": Refusal("reservation-zone-matches-subnet", ("CapacityReservationValidator",)),
    "a reservation of another type": Refusal("reservation-instance-type-matches", ("CapacityReservationValidator",)),
    "more nodes than the reservation holds": Refusal("reservation-covers-nodes", ("CapacityReservationSizeValidator",)),
    "more memory than the type has": Refusal("parallelcluster-memory-within-instance", ("SchedulableMemoryValidator",)),
    "two file systems at one mount directory": Refusal(SCHEMA, ("DuplicateMountDirValidator",)),
    "a Slurm setting that ParallelCluster reserves": Refusal(
        "parallelcluster-slurm-settings-allowed", ("CustomSlurmSettingsValidator",)
    ),
    "an image built by another version": Refusal("parallelcluster-image-of-version", ("CustomAmiTagValidator",)),
    "V100s on ParallelCluster's own image": Refusal(
        "parallelcluster-image-drives-type", ("InstanceTypeBaseAMICompatibleValidator",)
    ),
    "an RSA key on Ubuntu": Refusal("parallelcluster-key-fits-os", ("KeyPairValidator",)),
    "accounting with a name of more than 40 characters": Refusal(SCHEMA, ("ClusterNameValidator",)),
}
"""Mistake -> who refuses it."""
