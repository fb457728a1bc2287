"""AWS ParallelCluster's own package, in the version that rules were read in: files, and lines where a name begins.

A test holds the lines to the package itself.
"""

from policies.sources.document import Document, repository

_REPOSITORY = "https://github.com/aws/aws-parallelcluster"
PACKAGE = "cli/src/pcluster"
_AT = "v3.16.1"

PAGES = {
    "BaseQueueSchema": "schemas/cluster_schema.py#L1650",
    "CapacityReservationValidator": "validators/ec2_validators.py#L339",
    "cluster_schema.py": "schemas/cluster_schema.py",
    "cluster_validators.py": "validators/cluster_validators.py",
    "ClusterDevSettingsSchema": "schemas/cluster_schema.py#L1142",
    "ClusterNameValidator": "validators/cluster_validators.py#L86",
    "ComputeResourceSizeValidator": "validators/cluster_validators.py#L182",
    "ComputeResourceTagsValidator": "validators/tags_validators.py#L15",
    "config/common.py: CapacityType": "config/common.py#L32",
    "constants.py": "constants.py",
    "constants.py: MAX_NEW_STORAGE_COUNT": "constants.py#L155",
    "constants.py: MAX_NUMBER_OF_QUEUES": "constants.py#L143",
    "constants.py: PRIVATE_OSES": "constants.py#L90",
    "constants.py: SUPPORTED_OSES": "constants.py#L27",
    "CustomAmiTagValidator": "validators/cluster_validators.py#L140",
    "DatabaseUriValidator": "validators/database_validators.py#L17",
    "DeletionPolicyValidator": "validators/cluster_validators.py#L983",
    "DuplicateMountDirValidator": "validators/cluster_validators.py#L734",
    "DuplicateNameValidator": "validators/cluster_validators.py#L1075",
    "ebs_validators.py": "validators/ebs_validators.py",
    "ec2_validators.py": "validators/ec2_validators.py",
    "EfaMultiAzValidator": "validators/cluster_validators.py#L416",
    "EfaPlacementGroupValidator": "validators/cluster_validators.py#L340",
    "EfaValidator": "validators/cluster_validators.py#L321",
    "fsx_validators.py": "validators/fsx_validators.py",
    "HeadNodeSchema": "schemas/cluster_schema.py#L1366",
    "HeadNodeSsh": "config/cluster_config.py#L818",
    "InstanceArchitectureCompatibilityValidator": "validators/cluster_validators.py#L259",
    "InstancesAllocationStrategyValidator": "validators/instances_validators.py#L255",
    "InstancesCPUValidator": "validators/instances_validators.py#L47",
    "InstanceTypeBaseAMICompatibleValidator": "validators/ec2_validators.py#L147",
    "InstanceTypeOSCompatibleValidator": "validators/ec2_validators.py#L197",
    "KeyPairValidator": "validators/ec2_validators.py#L225",
    "MaxCountValidator": "validators/cluster_validators.py#L304",
    "MixedSecurityGroupOverwriteValidator": "validators/cluster_validators.py#L1103",
    "NameValidator": "validators/cluster_validators.py#L281",
    "OsCustomAmiValidator": "validators/cluster_validators.py#L124",
    "PlacementGroupNamingValidator": "validators/ec2_validators.py#L251",
    "queues_stack.py": "templates/queues_stack.py",
    "QueueSubnetsValidator": "validators/networking_validators.py#L67",
    "RootVolumeSizeValidator": "validators/cluster_validators.py#L1419",
    "SchedulableMemoryValidator": "validators/cluster_validators.py#L214",
    "SharedEbsPerformanceBottleNeckValidator": "validators/cluster_validators.py#L1318",
    "SharedStorageMountDirValidator": "validators/cluster_validators.py#L920",
    "SharedStorageNameValidator": "validators/cluster_validators.py#L891",
    "SingleInstanceTypeSubnetValidator": "validators/networking_validators.py#L126",
    "slurm_settings_validator.py: SLURM_SETTINGS_DENY_LIST": "validators/slurm_settings_validator.py#L19",
    "SlurmQueueNetworkingSchema": "schemas/cluster_schema.py#L738",
}
"""What sources name -> the file of the package that has it, and the line that it begins at."""

PARALLELCLUSTER = (
    Document(
        ("aws-parallelcluster 3.16.1", "ParallelCluster"),
        f"{_REPOSITORY}/tree/{_AT}/{PACKAGE}/validators",
        f"{_REPOSITORY}/blob/{_AT}/{PACKAGE}/{{}}",
        PAGES,
    ),
    repository(
        "aws/aws-parallelcluster",
        "aws-parallelcluster",
        at=_AT,
        pages={
            "cloudformation/custom_resource/cluster.yaml": "cloudformation/custom_resource/cluster.yaml",
            "pcluster/schemas/cluster_schema.py": f"{PACKAGE}/schemas/cluster_schema.py",
            "pcluster/validators": f"{PACKAGE}/validators/cluster_validators.py",
        },
    ),
    Document(("aws-parallelcluster releases",), f"{_REPOSITORY}/releases"),
)
"""The package's documents."""
