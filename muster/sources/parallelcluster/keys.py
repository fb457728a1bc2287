"""The keys of a ParallelCluster configuration, the form of each value, and which of them no rule evaluates.

Source: aws-parallelcluster 3.16.1, `schemas/cluster_schema.py` and `schemas/common_schema.py`; ParallelCluster guide,
"Cluster configuration file".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Form(StrEnum):
    """The form of a value, in words."""

    TEXT = "text"
    NUMBER = "a number"
    FLAG = "true or false"
    TEXTS = "a list of texts"
    BLOCK = "a block of keys"
    BLOCKS = "a list of blocks"
    ANY = "any value"


@dataclass(frozen=True, slots=True)
class Key:
    """One key."""

    form: Form
    below: "Mapping[str, Key]" = field(default_factory=dict)
    """The keys of a block, or of each block of a list; none if every key is allowed."""
    missing: str = ""
    """What no rule evaluates; empty if rules evaluate it, or nothing depends on it."""


_TEXT, _NUMBER, _FLAG, _TEXTS, _ANY = map(Key, (Form.TEXT, Form.NUMBER, Form.FLAG, Form.TEXTS, Form.ANY))


def _block(missing: str = "", **below: Key) -> Key:
    return Key(Form.BLOCK, below, missing)


def _blocks(missing: str = "", **below: Key) -> Key:
    return Key(Form.BLOCKS, below, missing)


def _unread(form: Form, missing: str) -> Key:
    return Key(form, {}, missing)


_TAGS = _blocks(Key=_ANY, Value=_ANY)
_PROXY = _block(HttpProxyAddress=_TEXT)
_DCV = _unread(Form.BLOCK, "no rule evaluates Amazon DCV and the port that it opens")
_IMAGE = _block(CustomAmi=_TEXT)
_SSH = _block(KeyName=_TEXT, AllowedIps=_TEXT)
_SCRIPT = {"Script": _TEXT, "Args": Key(Form.ANY)}
_ACTION = _block(**_SCRIPT, Sequence=_blocks(**_SCRIPT))
_IAM = _block(
    InstanceRole=_TEXT,
    InstanceProfile=_TEXT,
    S3Access=_blocks(BucketName=_TEXT, KeyName=_TEXT, EnableWriteAccess=_FLAG),
    AdditionalIamPolicies=_blocks(Policy=_TEXT),
)
_ROOT_VOLUME = _block(
    VolumeType=_TEXT, Iops=_NUMBER, Size=_NUMBER, Throughput=_NUMBER, Encrypted=_FLAG, DeleteOnTermination=_FLAG
)
_LOCAL_STORAGE = _block(RootVolume=_ROOT_VOLUME, EphemeralVolume=_block(MountDir=_TEXT))
_PLACEMENT = _block(Enabled=_FLAG, Id=_TEXT, Name=_TEXT)
_CAPACITY = _block(CapacityReservationId=_TEXT, CapacityReservationResourceGroupArn=_TEXT)
_HEALTH = _block(Gpu=_block(Enabled=_FLAG))

_HEAD_NODE = _block(
    InstanceType=_TEXT,
    DisableSimultaneousMultithreading=_FLAG,
    Networking=_block(
        SubnetId=_TEXT, ElasticIp=_ANY, Proxy=_PROXY, AdditionalSecurityGroups=_TEXTS, SecurityGroups=_TEXTS
    ),
    Ssh=_SSH,
    LocalStorage=_LOCAL_STORAGE,
    SharedStorageType=_TEXT,
    SharedStorageEfsSettings=_block(Encrypted=_FLAG),
    Dcv=_DCV,
    CustomActions=_block(OnNodeStart=_ACTION, OnNodeConfigured=_ACTION, OnNodeUpdated=_ACTION),
    Iam=_IAM,
    Imds=_block(Secured=_FLAG),
    Image=_IMAGE,
    Efa=_ANY,
)
_COMPUTE_RESOURCE = _blocks(
    Name=_TEXT,
    InstanceType=_TEXT,
    Instances=_blocks(InstanceType=_TEXT),
    MaxCount=_NUMBER,
    MinCount=_NUMBER,
    SpotPrice=_NUMBER,
    Efa=_block(Enabled=_FLAG, GdrSupport=_FLAG),
    DisableSimultaneousMultithreading=_FLAG,
    SchedulableMemory=_NUMBER,
    CapacityReservationTarget=_CAPACITY,
    LaunchTemplateOverrides=_unread(Form.BLOCK, "the settings of that launch template are not in the configuration"),
    Networking=_block(PlacementGroup=_PLACEMENT),
    HealthChecks=_HEALTH,
    CustomSlurmSettings=_block(),
    Tags=_TAGS,
    StaticNodePriority=_NUMBER,
    DynamicNodePriority=_NUMBER,
)
_QUEUE = _blocks(
    Name=_TEXT,
    CapacityType=_TEXT,
    AllocationStrategy=_TEXT,
    ComputeSettings=_block(LocalStorage=_LOCAL_STORAGE),
    ComputeResources=_COMPUTE_RESOURCE,
    CustomActions=_block(OnNodeStart=_ACTION, OnNodeConfigured=_ACTION),
    CapacityReservationTarget=_CAPACITY,
    Networking=_block(
        SubnetIds=_TEXTS,
        AssignPublicIp=_FLAG,
        PlacementGroup=_PLACEMENT,
        Proxy=_PROXY,
        AdditionalSecurityGroups=_TEXTS,
        SecurityGroups=_TEXTS,
    ),
    HealthChecks=_HEALTH,
    Iam=_IAM,
    Image=_IMAGE,
    CustomSlurmSettings=_block(),
    Tags=_TAGS,
    JobExclusiveAllocation=_FLAG,
)
_SLURM_SETTINGS = _block(
    ScaledownIdletime=_NUMBER,
    Dns=_unread(Form.BLOCK, "no rule evaluates the hosted zone and the names of nodes"),
    QueueUpdateStrategy=_TEXT,
    EnableMemoryBasedScheduling=_FLAG,
    Database=_block(Uri=_TEXT, UserName=_TEXT, PasswordSecretArn=_TEXT, DatabaseName=_TEXT),
    CustomSlurmSettings=_blocks(),
    CustomSlurmSettingsIncludeFile=_unread(Form.TEXT, "the Slurm settings in that file are not in the configuration"),
    MungeKeySecretArn=_TEXT,
    ExternalSlurmdbd=_block(Host=_TEXT, Port=_NUMBER),
)
_BATCH = "no rule evaluates the scheduler awsbatch"
_SCHEDULING = _block(
    Scheduler=_TEXT,
    ScalingStrategy=_TEXT,
    SlurmSettings=_SLURM_SETTINGS,
    SlurmQueues=_QUEUE,
    AwsBatchSettings=_unread(Form.BLOCK, _BATCH),
    AwsBatchQueues=_unread(Form.BLOCKS, _BATCH),
    SchedulerSettings=_unread(Form.BLOCK, "no rule evaluates the scheduler plugins of ParallelCluster 3.2 to 3.5"),
    SchedulerQueues=_unread(Form.BLOCKS, "no rule evaluates the scheduler plugins of ParallelCluster 3.2 to 3.5"),
)
_LUSTRE = _block(
    StorageCapacity=_NUMBER,
    DeploymentType=_TEXT,
    ImportedFileChunkSize=_NUMBER,
    ExportPath=_TEXT,
    ImportPath=_TEXT,
    WeeklyMaintenanceStartTime=_TEXT,
    AutomaticBackupRetentionDays=_NUMBER,
    CopyTagsToBackups=_FLAG,
    DailyAutomaticBackupStartTime=_TEXT,
    PerUnitStorageThroughput=_NUMBER,
    BackupId=_TEXT,
    KmsKeyId=_TEXT,
    FileSystemId=_TEXT,
    AutoImportPolicy=_TEXT,
    DriveCacheType=_TEXT,
    DataCompressionType=_TEXT,
    StorageType=_TEXT,
    DeletionPolicy=_TEXT,
    DataRepositoryAssociations=_blocks(
        Name=_TEXT,
        BatchImportMetaDataOnCreate=_FLAG,
        DataRepositoryPath=_TEXT,
        FileSystemPath=_TEXT,
        ImportedFileChunkSize=_NUMBER,
        AutoExportPolicy=_TEXTS,
        AutoImportPolicy=_TEXTS,
    ),
)
_SHARED_STORAGE = _blocks(
    MountDir=_TEXT,
    Name=_TEXT,
    StorageType=_TEXT,
    EbsSettings=_block(
        VolumeType=_TEXT,
        Iops=_NUMBER,
        Size=_NUMBER,
        KmsKeyId=_TEXT,
        Throughput=_NUMBER,
        Encrypted=_FLAG,
        SnapshotId=_TEXT,
        VolumeId=_TEXT,
        Raid=_block(Type=_NUMBER, NumberOfVolumes=_NUMBER),
        DeletionPolicy=_TEXT,
    ),
    EfsSettings=_block(
        Encrypted=_FLAG,
        KmsKeyId=_TEXT,
        PerformanceMode=_TEXT,
        ThroughputMode=_TEXT,
        ProvisionedThroughput=_NUMBER,
        FileSystemId=_TEXT,
        DeletionPolicy=_TEXT,
        AccessPointId=_TEXT,
        EncryptionInTransit=_FLAG,
        IamAuthorization=_FLAG,
    ),
    FsxLustreSettings=_LUSTRE,
    FsxOpenZfsSettings=_block(VolumeId=_TEXT),
    FsxOntapSettings=_block(VolumeId=_TEXT),
    FileCacheSettings=_block(FileCacheId=_TEXT),
)
_MONITORING = _block(
    DetailedMonitoring=_FLAG,
    Logs=_block(
        CloudWatch=_block(Enabled=_FLAG, RetentionInDays=_NUMBER, DeletionPolicy=_TEXT), Rotation=_block(Enabled=_FLAG)
    ),
    Dashboards=_block(CloudWatch=_block(Enabled=_FLAG)),
    Alarms=_block(Enabled=_FLAG),
)

CONFIGURATION: Mapping[str, Key] = {
    "Region": _TEXT,
    "Image": _block(Os=_TEXT, CustomAmi=_TEXT),
    "Imds": _block(ImdsSupport=_TEXT),
    "HeadNode": _HEAD_NODE,
    "LoginNodes": _unread(Form.BLOCK, "no rule evaluates login nodes"),
    "Scheduling": _SCHEDULING,
    "SharedStorage": _SHARED_STORAGE,
    "Monitoring": _MONITORING,
    "AdditionalPackages": _block(),
    "Tags": _TAGS,
    "Iam": _block(
        Roles=_block(LambdaFunctionsRole=_TEXT),
        PermissionsBoundary=_unread(Form.TEXT, "the permissions that it leaves are not in the configuration"),
        ResourcePrefix=_TEXT,
    ),
    "DirectoryService": _unread(Form.BLOCK, "no rule evaluates the directory of users"),
    "CustomS3Bucket": _TEXT,
    "AdditionalResources": _unread(Form.TEXT, "the CloudFormation template at this address is not read"),
    "DevSettings": _block(),
    "DeploymentSettings": _unread(Form.BLOCK, "no rule evaluates the network and users that it sets"),
}
"""The top level."""

UNREAD_STORAGE: Mapping[str, str] = {
    "Efs": "Amazon EFS",
    "FsxOpenZfs": "FSx for OpenZFS",
    "FsxOntap": "FSx for NetApp ONTAP",
    "FileCache": "Amazon File Cache",
}
"""Kind of shared storage -> its service, of which rules evaluate only the mount directory and the number."""


def has_form(value: Any, form: Form) -> bool:
    """Whether a known value has a form. ParallelCluster also accepts a number or `true` as text in a few places, and
    the reader never refuses a scalar for another."""
    if form is Form.ANY:
        return True
    if form in (Form.BLOCK, Form.BLOCKS):
        return isinstance(value, Mapping if form is Form.BLOCK else list)
    if form is Form.TEXTS:
        return isinstance(value, list) and not any(isinstance(each, Mapping | list) for each in value)
    return not isinstance(value, Mapping | list)
