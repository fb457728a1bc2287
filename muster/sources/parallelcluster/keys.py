"""The keys of a ParallelCluster configuration, the kind of each value, and which of them no rule evaluates.

Source: aws-parallelcluster 3.16.1, `schemas/cluster_schema.py` and `schemas/common_schema.py`; ParallelCluster guide,
"Cluster configuration file".
"""

from collections.abc import Mapping

from muster.config.description.slurm_cluster import MOST_QUEUES
from muster.config.description.slurm_nodes import MOST_RESOURCES
from muster.sources.forms import ANY, SCALAR, SCALARS, Form, Key, at_most, block, blocks, unread

_MOST_STORAGE = 3 + 5 + 20 + 20
"""A new RAID volume, EFS and FSx file system, EBS volumes, and existing EFS and FSx file systems (`constants.py`:
MAX_NEW_STORAGE_COUNT, MAX_EBS_COUNT, MAX_EXISTING_STORAGE_COUNT)."""
_TAGS = blocks(Key=ANY, Value=ANY)
_PROXY = block(HttpProxyAddress=SCALAR)
_DCV = unread(Form.BLOCK, "no rule evaluates Amazon DCV and the port that it opens")
_IMAGE = block(CustomAmi=SCALAR)
_SSH = block(KeyName=SCALAR, AllowedIps=SCALAR)
_SCRIPT = {"Script": SCALAR, "Args": ANY}
_ACTION = block(**_SCRIPT, Sequence=blocks(**_SCRIPT))
_IAM = block(
    InstanceRole=SCALAR,
    InstanceProfile=SCALAR,
    S3Access=blocks(BucketName=SCALAR, KeyName=SCALAR, EnableWriteAccess=SCALAR),
    AdditionalIamPolicies=blocks(Policy=SCALAR),
)
_ROOT_VOLUME = block(
    VolumeType=SCALAR, Iops=SCALAR, Size=SCALAR, Throughput=SCALAR, Encrypted=SCALAR, DeleteOnTermination=SCALAR
)
_LOCAL_STORAGE = block(RootVolume=_ROOT_VOLUME, EphemeralVolume=block(MountDir=SCALAR))
_PLACEMENT = block(Enabled=SCALAR, Id=SCALAR, Name=SCALAR)
_CAPACITY = block(CapacityReservationId=SCALAR, CapacityReservationResourceGroupArn=SCALAR)
_HEALTH = block(Gpu=block(Enabled=SCALAR))

_HEAD_NODE = block(
    InstanceType=SCALAR,
    DisableSimultaneousMultithreading=SCALAR,
    Networking=block(
        SubnetId=SCALAR, ElasticIp=ANY, Proxy=_PROXY, AdditionalSecurityGroups=SCALARS, SecurityGroups=SCALARS
    ),
    Ssh=_SSH,
    LocalStorage=_LOCAL_STORAGE,
    SharedStorageType=SCALAR,
    SharedStorageEfsSettings=block(Encrypted=SCALAR),
    Dcv=_DCV,
    CustomActions=block(OnNodeStart=_ACTION, OnNodeConfigured=_ACTION, OnNodeUpdated=_ACTION),
    Iam=_IAM,
    Imds=block(Secured=SCALAR),
    Image=_IMAGE,
    Efa=ANY,
)
_LOGIN_NODES = block(
    Pools=blocks(
        Name=SCALAR,
        InstanceType=SCALAR,
        Image=_IMAGE,
        Networking=block(SubnetIds=SCALARS, Proxy=_PROXY, AdditionalSecurityGroups=SCALARS, SecurityGroups=SCALARS),
        Count=SCALAR,
        Dcv=_DCV,
        Ssh=_SSH,
        CustomActions=block(OnNodeStart=_ACTION, OnNodeConfigured=_ACTION, OnNodeUpdated=_ACTION),
        Iam=block(InstanceRole=SCALAR, InstanceProfile=SCALAR, AdditionalIamPolicies=blocks(Policy=SCALAR)),
        GracetimePeriod=SCALAR,
    )
)
_COMPUTE_RESOURCE = blocks(
    Name=SCALAR,
    InstanceType=SCALAR,
    Instances=blocks(InstanceType=SCALAR),
    MaxCount=SCALAR,
    MinCount=SCALAR,
    SpotPrice=SCALAR,
    Efa=block(Enabled=SCALAR, GdrSupport=SCALAR),
    DisableSimultaneousMultithreading=SCALAR,
    SchedulableMemory=SCALAR,
    CapacityReservationTarget=_CAPACITY,
    LaunchTemplateOverrides=unread(Form.BLOCK, "the settings of that launch template are not in the configuration"),
    Networking=block(PlacementGroup=_PLACEMENT),
    HealthChecks=_HEALTH,
    CustomSlurmSettings=block(),
    Tags=_TAGS,
    StaticNodePriority=SCALAR,
    DynamicNodePriority=SCALAR,
)
_QUEUE = blocks(
    Name=SCALAR,
    CapacityType=SCALAR,
    AllocationStrategy=SCALAR,
    ComputeSettings=block(LocalStorage=_LOCAL_STORAGE),
    ComputeResources=at_most(MOST_RESOURCES, _COMPUTE_RESOURCE),
    CustomActions=block(OnNodeStart=_ACTION, OnNodeConfigured=_ACTION),
    CapacityReservationTarget=_CAPACITY,
    Networking=block(
        SubnetIds=SCALARS,
        AssignPublicIp=SCALAR,
        PlacementGroup=_PLACEMENT,
        Proxy=_PROXY,
        AdditionalSecurityGroups=SCALARS,
        SecurityGroups=SCALARS,
    ),
    HealthChecks=_HEALTH,
    Iam=_IAM,
    Image=_IMAGE,
    CustomSlurmSettings=block(),
    Tags=_TAGS,
    JobExclusiveAllocation=SCALAR,
)
_SLURM_SETTINGS = block(
    ScaledownIdletime=SCALAR,
    Dns=unread(Form.BLOCK, "no rule evaluates the hosted zone and the names of nodes"),
    QueueUpdateStrategy=SCALAR,
    EnableMemoryBasedScheduling=SCALAR,
    Database=block(Uri=SCALAR, UserName=SCALAR, PasswordSecretArn=SCALAR, DatabaseName=SCALAR),
    CustomSlurmSettings=blocks(),
    CustomSlurmSettingsIncludeFile=unread(Form.SCALAR, "the Slurm settings in that file are not in the configuration"),
    MungeKeySecretArn=SCALAR,
    ExternalSlurmdbd=block(Host=SCALAR, Port=SCALAR),
)
_BATCH = "no rule evaluates the scheduler awsbatch"
_SCHEDULING = block(
    Scheduler=SCALAR,
    ScalingStrategy=SCALAR,
    SlurmSettings=_SLURM_SETTINGS,
    SlurmQueues=at_most(MOST_QUEUES, _QUEUE),
    AwsBatchSettings=unread(Form.BLOCK, _BATCH),
    AwsBatchQueues=unread(Form.BLOCKS, _BATCH),
    SchedulerSettings=unread(Form.BLOCK, "no rule evaluates the scheduler plugins of ParallelCluster 3.2 to 3.5"),
    SchedulerQueues=unread(Form.BLOCKS, "no rule evaluates the scheduler plugins of ParallelCluster 3.2 to 3.5"),
)
_LUSTRE = block(
    StorageCapacity=SCALAR,
    DeploymentType=SCALAR,
    ImportedFileChunkSize=SCALAR,
    ExportPath=SCALAR,
    ImportPath=SCALAR,
    WeeklyMaintenanceStartTime=SCALAR,
    AutomaticBackupRetentionDays=SCALAR,
    CopyTagsToBackups=SCALAR,
    DailyAutomaticBackupStartTime=SCALAR,
    PerUnitStorageThroughput=SCALAR,
    BackupId=SCALAR,
    KmsKeyId=SCALAR,
    FileSystemId=SCALAR,
    AutoImportPolicy=SCALAR,
    DriveCacheType=SCALAR,
    DataCompressionType=SCALAR,
    StorageType=SCALAR,
    DeletionPolicy=SCALAR,
    DataRepositoryAssociations=blocks(
        Name=SCALAR,
        BatchImportMetaDataOnCreate=SCALAR,
        DataRepositoryPath=SCALAR,
        FileSystemPath=SCALAR,
        ImportedFileChunkSize=SCALAR,
        AutoExportPolicy=SCALARS,
        AutoImportPolicy=SCALARS,
    ),
)
_SHARED_STORAGE = blocks(
    MountDir=SCALAR,
    Name=SCALAR,
    StorageType=SCALAR,
    EbsSettings=block(
        VolumeType=SCALAR,
        Iops=SCALAR,
        Size=SCALAR,
        KmsKeyId=SCALAR,
        Throughput=SCALAR,
        Encrypted=SCALAR,
        SnapshotId=SCALAR,
        VolumeId=SCALAR,
        Raid=block(Type=SCALAR, NumberOfVolumes=SCALAR),
        DeletionPolicy=SCALAR,
    ),
    EfsSettings=block(
        Encrypted=SCALAR,
        KmsKeyId=SCALAR,
        PerformanceMode=SCALAR,
        ThroughputMode=SCALAR,
        ProvisionedThroughput=SCALAR,
        FileSystemId=SCALAR,
        DeletionPolicy=SCALAR,
        AccessPointId=SCALAR,
        EncryptionInTransit=SCALAR,
        IamAuthorization=SCALAR,
    ),
    FsxLustreSettings=_LUSTRE,
    FsxOpenZfsSettings=block(VolumeId=SCALAR),
    FsxOntapSettings=block(VolumeId=SCALAR),
    FileCacheSettings=block(FileCacheId=SCALAR),
)
_MONITORING = block(
    DetailedMonitoring=SCALAR,
    Logs=block(
        CloudWatch=block(Enabled=SCALAR, RetentionInDays=SCALAR, DeletionPolicy=SCALAR), Rotation=block(Enabled=SCALAR)
    ),
    Dashboards=block(CloudWatch=block(Enabled=SCALAR)),
    Alarms=block(Enabled=SCALAR),
)

CONFIGURATION: Mapping[str, Key] = {
    "Region": SCALAR,
    "Image": block(Os=SCALAR, CustomAmi=SCALAR),
    "Imds": block(ImdsSupport=SCALAR),
    "HeadNode": _HEAD_NODE,
    "LoginNodes": _LOGIN_NODES,
    "Scheduling": _SCHEDULING,
    "SharedStorage": at_most(_MOST_STORAGE, _SHARED_STORAGE),
    "Monitoring": _MONITORING,
    "AdditionalPackages": block(),
    "Tags": _TAGS,
    "Iam": block(
        Roles=block(LambdaFunctionsRole=SCALAR),
        PermissionsBoundary=unread(Form.SCALAR, "the permissions that it leaves are not in the configuration"),
        ResourcePrefix=SCALAR,
    ),
    "DirectoryService": unread(Form.BLOCK, "no rule evaluates the directory of users"),
    "CustomS3Bucket": SCALAR,
    "AdditionalResources": unread(Form.SCALAR, "the CloudFormation template at this address is not read"),
    "DevSettings": block(),
    "DeploymentSettings": unread(Form.BLOCK, "no rule evaluates the network and users that it sets"),
}
"""The top level."""

UNREAD_STORAGE: Mapping[str, str] = {
    "Efs": "Amazon EFS",
    "FsxOpenZfs": "FSx for OpenZFS",
    "FsxOntap": "FSx for NetApp ONTAP",
    "FileCache": "Amazon File Cache",
}
"""Kind of shared storage -> its service, of which rules evaluate only the mount directory and the number."""
