"""What ParallelCluster's own validators judge, and where the same is judged here.

One row for each validator of `pcluster.validators` that a cluster's configuration meets (aws-parallelcluster 3.16.1;
those of `build-image` are not here). A row is about what Muster renders; its rules judge programs of other teams, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class By(StrEnum):
    """Who keeps a configuration of ours from being refused."""

    LAW = "the description's own types"
    RULE = "rules"
    NEVER = "nothing that Muster renders can fail it"
    AWS = "only AWS knows"


@dataclass(frozen=True, slots=True)
class Answer:
    """Where the same is judged."""

    by: By
    rules: tuple[str, ...] = ()
    why: str = ""
    """A clause whose subject is what the validator judges: the law, why nothing can fail, what only AWS knows, or what
    the rules leave to it."""


def _rules(*ids: str, why: str = "") -> Answer:
    return Answer(By.RULE, ids, why)


def _law(why: str, *ids: str) -> Answer:
    return Answer(By.LAW, ids, why)


def _never(why: str, *ids: str) -> Answer:
    return Answer(By.NEVER, ids, why)


def _aws(why: str, *ids: str) -> Answer:
    return Answer(By.AWS, ids, why)


_FLEXIBLE = "lists of instance types are rendered nowhere: a group has one"
_LDAP = "DirectoryService is rendered nowhere"
_EFS = "EFS is rendered nowhere"
_LUSTRE = "file systems are made by Muster and mounted by their id"
_ULTRA = "UltraServers' health and size are told by DescribeCapacityBlockStatus alone"

VALIDATORS: Mapping[str, Answer] = {
    # the cluster
    "RegionValidator": _aws("the Regions that ParallelCluster serves are in its own release"),
    "FeatureRegionValidator": _never("only isolated Regions lack a feature, and Muster names none of them"),
    "ClusterNameValidator": _rules("parallelcluster-name-legal"),
    "SchedulerValidator": _never("slurm is the one scheduler that is rendered"),
    "ArchitectureOsValidator": _never("every operating system of 3.16.1 is there for both architectures"),
    "OsCustomAmiValidator": _rules("parallelcluster-image-made-for-os"),
    "CustomAmiTagValidator": _rules("parallelcluster-image-of-version", why="an AMI without tags is a warning"),
    "AmiOsCompatibleValidator": _rules("parallelcluster-image-of-version", "parallelcluster-image-made-for-os"),
    "RootVolumeSizeValidator": _rules("parallelcluster-root-volume-holds-image"),
    "RootVolumeEncryptionConsistencyValidator": _never("root volumes are all encrypted, which is the default"),
    "SubnetsValidator": _never("3.16.1 asks it of LoginNodes alone, and they are rendered nowhere"),
    "SecurityGroupsValidator": _aws("whether a group exists is told by DescribeSecurityGroups"),
    "MixedSecurityGroupOverwriteValidator": _never(
        "security groups are only ever added to ParallelCluster's own", "parallelcluster-security-groups-alike"
    ),
    "LambdaFunctionsVpcConfigValidator": _never("the Lambdas are in no VPC"),
    "HostedZoneValidator": _never("HostedZoneId is rendered nowhere"),
    "S3BucketValidator": _never("CustomS3Bucket is rendered nowhere"),
    "S3BucketRegionValidator": _never("CustomS3Bucket is rendered nowhere"),
    "UrlValidator": _aws("whether an address answers is asked of it", "parallelcluster-scripts-readable"),
    "CliAttributeOverridesValidator": _never("DevSettings are rendered nowhere but for timeouts"),
    "ExtraChefAttributesValidator": _never("DevSettings are rendered nowhere but for timeouts"),
    "IntelHpcOsValidator": _never("AdditionalPackages are rendered nowhere"),
    "IntelHpcArchitectureValidator": _never("AdditionalPackages are rendered nowhere"),
    "LogRotationValidator": _never("rotation and CloudWatch's logs are both on, which is the default"),
    "DetailedMonitoringValidator": _never("it says only that detailed monitoring costs more, and refuses nothing"),
    # roles
    "RoleValidator": _aws("whether a role exists is told by GetRole"),
    "InstanceProfileValidator": _never("InstanceProfile is rendered nowhere"),
    "IamPolicyValidator": _aws("whether a policy exists is told by GetPolicy"),
    "AdditionalIamPolicyValidator": _aws("whether a policy exists is told by GetPolicy"),
    "IamResourcePrefixValidator": _never("ResourcePrefix is rendered nowhere"),
    # directory
    "DomainAddrValidator": _never(_LDAP),
    "DomainNameValidator": _never(_LDAP),
    "LdapTlsReqCertValidator": _never(_LDAP),
    "AdditionalSssdConfigsValidator": _never(_LDAP),
    "PasswordSecretArnValidator": _rules(
        "parallelcluster-accounting-legal", why="whether the secret exists is told by DescribeSecret"
    ),
    # the head node
    "HeadNodeLaunchTemplateValidator": _aws("a dry run of RunInstances asks for capacity, quota and rights"),
    "HeadNodeMemorySizeValidator": _rules("parallelcluster-head-memory-suffices"),
    "KeyPairValidator": _rules(
        "parallelcluster-key-fits-os", why="whether a pair exists by its name is told by DescribeKeyPairs"
    ),
    "ElasticIpValidator": _never("ElasticIp is rendered as true alone: an address that ParallelCluster makes"),
    "DcvValidator": _never("Dcv is rendered nowhere"),
    "SharedStorageEfsSettingsValidator": _never(_EFS),
    # queues and compute resources
    "NameValidator": _rules("parallelcluster-names-legal"),
    "DuplicateNameValidator": _rules("parallelcluster-names-distinct"),
    "MaxCountValidator": _rules("parallelcluster-counts-within-limits"),
    "QueueSubnetsValidator": _rules("parallelcluster-queue-subnets-apart"),
    "SingleInstanceTypeSubnetValidator": _rules("parallelcluster-queue-one-subnet"),
    "ComputeResourceSizeValidator": _rules("nodes-in-order", "parallelcluster-block-fixed"),
    "ComputeResourceLaunchTemplateValidator": _aws("a dry run of RunInstances asks for capacity, quota and rights"),
    "ComputeResourceTagsValidator": _rules("parallelcluster-tags-legal"),
    "LaunchTemplateValidator": _never("LaunchTemplateOverrides are rendered nowhere"),
    "SlurmNodePrioritiesWarningValidator": _never("priorities are left at their defaults, 1 and 1000"),
    "SchedulableMemoryValidator": _rules("parallelcluster-memory-within-instance"),
    "InstanceTypeMemoryInfoValidator": _never("every type of the catalogue has its memory"),
    "InstanceTypeValidator": _law("a type that the catalogue does not have is refused with the nearest"),
    "InstanceTypeBaseAMICompatibleValidator": _rules(
        "parallelcluster-one-architecture",
        "parallelcluster-image-drives-type",
        why="the architecture of one's own AMI is told by DescribeImages",
    ),
    "InstanceArchitectureCompatibilityValidator": _rules("parallelcluster-one-architecture"),
    "InstanceTypeOSCompatibleValidator": _rules("parallelcluster-os-runs-type"),
    "InstanceTypeAcceleratorManufacturerValidator": _never(
        "it warns of accelerators of others than NVIDIA and AWS, and the catalogue has none",
        "parallelcluster-neuron-software",
    ),
    "InstanceTypePlacementGroupValidator": _aws("PlacementGroupInfo of a type is in no table here"),
    "MultiNetworkInterfacesInstancesValidator": _rules(
        "several-interfaces-no-public-ip", "several-interfaces-private-subnets"
    ),
    # EFA and placement
    "EfaValidator": _rules("efa-fits-instance", "efa-used-fully", "parallelcluster-gdr-beside-efa"),
    "EfaOsArchitectureValidator": _never("EFA is there for every operating system of 3.16.1"),
    "EfaPlacementGroupValidator": _rules(
        "parallelcluster-efa-placement-stated", why="placement that is off is a warning there, as it is meant to be"
    ),
    "EfaSecurityGroupValidator": _never(
        "security groups are only ever added to ParallelCluster's own, which allow themselves",
        "efa-security-groups-allow-themselves",
    ),
    "EfaMultiAzValidator": _rules("efa-single-zone"),
    "MultiAzPlacementGroupValidator": _rules("parallelcluster-queue-one-subnet", "placement-group-one-zone"),
    "PlacementGroupNamingValidator": _rules(
        "parallelcluster-placement-named-once", why="whether a group exists is told by DescribePlacementGroups"
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
        "it says only what a deletion policy does, and refuses nothing", "parallelcluster-data-kept"
    ),
    "SharedFileCacheNotHomeValidator": _never("file caches are rendered nowhere"),
    "SharedEbsPerformanceBottleNeckValidator": _rules("parallelcluster-shared-volume-serves-fleet"),
    "SharedEbsVolumeIdValidator": _never("VolumeId is rendered nowhere"),
    "EbsVolumeSizeSnapshotValidator": _never("SnapshotId is rendered nowhere"),
    "EbsVolumeTypeSizeValidator": _rules("parallelcluster-volumes-legal"),
    "EbsVolumeIopsValidator": _rules("parallelcluster-volumes-legal"),
    "EbsVolumeThroughputValidator": _rules("parallelcluster-volumes-legal"),
    "EbsVolumeThroughputIopsValidator": _rules("parallelcluster-volumes-legal"),
    "MultiAzEbsVolumeValidator": _never("an existing volume is rendered nowhere; of zones it says only what they cost"),
    "MultiAzRootVolumeValidator": _never("it says only what several zones cost, and refuses nothing"),
    "KmsKeyValidator": _never("KmsKeyId is rendered nowhere"),
    "KmsKeyIdEncryptedValidator": _never("KmsKeyId is rendered nowhere"),
    "EfsIdValidator": _never(_EFS),
    "EfsMountOptionsValidator": _never(_EFS),
    "EfsAccessPointOptionsValidator": _never(_EFS),
    "FsxArchitectureOsValidator": _never("Lustre's client is there for every operating system of 3.16.1"),
    "ExistingFsxNetworkingValidator": _rules("lustre-ports-open", why="the VPC of a file system is told by FSx"),
    "UnmanagedFsxMultiAzValidator": _never("it says only what other zones cost, and refuses nothing"),
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
    "CustomSlurmSettingsIncludeFileOnlyValidator": _never("CustomSlurmSettingsIncludeFile is rendered nowhere"),
    "ExternalSlurmdbdVsDatabaseIncompatibility": _never(
        "ExternalSlurmdbd is rendered nowhere", "parallelcluster-accounting-legal"
    ),
    "ExternalSlurmdbdRequiresCustomMungeKey": _never(
        "ExternalSlurmdbd is rendered nowhere", "parallelcluster-accounting-legal"
    ),
    "ExternalSlurmdbdTrafficNotEncrypted": _never("ExternalSlurmdbd is rendered nowhere"),
    "ArnServiceAndResourceValidator": _never("MungeKeySecretArn is rendered nowhere"),
    "MungeKeySecretSizeAndBase64Validator": _never("MungeKeySecretArn is rendered nowhere"),
}
"""Validator -> where the same is judged."""


SCHEMA_KEYS: Mapping[str, tuple[str, ...]] = {
    "SubnetId": ("group-has-subnet", "zone-in-region"),
    "SubnetIds": ("group-has-subnet", "zone-in-region"),
    "Tags": ("parallelcluster-tags-legal",),
}
"""Key of the configuration -> rules after whose finding the package's schema refuses it: without a subnet in the zone
that is asked for there is none to write."""


# The mistakes that must not pass on ParallelCluster, by name: who refuses each.
#
# A test makes every one of them, in a description and in the configuration that AWS would get, and holds both columns
# to what is set; `docs/parallelcluster-checks.md` is made of them.

SHAPE = "shape"
"""Refused by the description's form, before any rule judges."""
SCHEMA = "schema"
"""Refused by the package's own schema."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Who refuses a mistake."""

    ours: str
    """A rule's id, or `SHAPE`."""
    aws: tuple[str, ...] = ()
    """`SCHEMA`, or the validators that refuse it; none where AWS's package does not look."""
    why: str = ""
    """Where AWS's package does not refuse it: what it does instead, or what it does not see."""


BREAKS: Mapping[str, Refusal] = {
    "a reservation's id and a group of reservations, both": Refusal(SHAPE, (SCHEMA,)),
    "EFA on m5": Refusal("efa-fits-instance", ("EfaValidator",)),
    "several subnets with EFA": Refusal(
        "efa-single-zone",
        ("EfaMultiAzValidator", "MultiAzPlacementGroupValidator", "SingleInstanceTypeSubnetValidator"),
    ),
    "a Capacity Block with fewer nodes at first than at most": Refusal(
        "parallelcluster-block-fixed", ("ComputeResourceSizeValidator",)
    ),
    "alinux2": Refusal(SHAPE, (SCHEMA,)),
    "an unknown key": Refusal(SHAPE, (SCHEMA,)),
    "a placement group on a reservation that AWS provided": Refusal(
        "placement-group-by-provenance",
        why="it warns of a group that the reservation is not in; who provided it nobody tells it",
    ),
    "a file system off FSx's matrix": Refusal(
        "lustre-throughput-fits-type",
        why="it mounts by id what Muster makes; of one that it makes its schema knows the tiers",
    ),
    "a queue's name that is too long": Refusal(SHAPE, ("NameValidator",)),
    "a reservation in another zone": Refusal("reservation-zone-matches-subnet", ("CapacityReservationValidator",)),
    "a reservation of another type": Refusal("reservation-instance-type-matches", ("CapacityReservationValidator",)),
    "more nodes than the reservation holds": Refusal("reservation-covers-nodes", ("CapacityReservationSizeValidator",)),
    "more memory than the type has": Refusal("parallelcluster-memory-within-instance", ("SchedulableMemoryValidator",)),
    "two file systems at one place": Refusal(SHAPE, ("DuplicateMountDirValidator",)),
    "a setting of Slurm that ParallelCluster keeps": Refusal(
        "parallelcluster-slurm-settings-allowed", ("CustomSlurmSettingsValidator",)
    ),
    "an image that another version built": Refusal("parallelcluster-image-of-version", ("CustomAmiTagValidator",)),
    "V100s on ParallelCluster's own image": Refusal(
        "parallelcluster-image-drives-type", ("InstanceTypeBaseAMICompatibleValidator",)
    ),
    "an RSA key on Ubuntu": Refusal("parallelcluster-key-fits-os", ("KeyPairValidator",)),
    "accounting, and a name of more than 40 letters": Refusal(SHAPE, ("ClusterNameValidator",)),
}
"""Mistake -> who refuses it."""
