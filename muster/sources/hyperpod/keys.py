"""The keys of a request of CreateCluster or UpdateCluster, and which of them no rule evaluates.

Source: botocore's model of SageMaker, `CreateClusterRequest`, `UpdateClusterRequest` and `DescribeClusterResponse`.
"""

from collections.abc import Mapping

from muster.sources.forms import ANY, SCALAR, SCALARS, Form, Key, at_most, block, blocks, unread

_BATCH = block(Type=SCALAR, Value=SCALAR)
_DEPLOYMENT = block(
    RollingUpdatePolicy=block(MaximumBatchSize=_BATCH, RollbackMaximumBatchSize=_BATCH),
    WaitIntervalInSeconds=SCALAR,
    AutoRollbackConfiguration=blocks(AlarmName=SCALAR),
)
_NETWORK = block(SecurityGroupIds=SCALARS, Subnets=SCALARS)

MOST_GROUPS = 100
"""Of a cluster (SageMaker API, CreateCluster: `InstanceGroups`, `RestrictedInstanceGroups`)."""
INSTANCE_GROUP: Mapping[str, Key] = {
    "InstanceGroupName": SCALAR,
    "InstanceType": SCALAR,
    "InstanceRequirements": block(InstanceTypes=SCALARS),
    "InstanceCount": SCALAR,
    "MinInstanceCount": SCALAR,
    "LifeCycleConfig": block(SourceS3Uri=SCALAR, OnCreate=SCALAR, OnInitComplete=SCALAR),
    "ExecutionRole": SCALAR,
    "ThreadsPerCore": SCALAR,
    "InstanceStorageConfigs": blocks(
        EbsVolumeConfig=block(VolumeSizeInGB=SCALAR, VolumeKmsKeyId=SCALAR, RootVolume=SCALAR),
        FsxLustreConfig=block(DnsName=SCALAR, MountName=SCALAR, MountPath=SCALAR),
        FsxOpenZfsConfig=block(DnsName=SCALAR, MountPath=SCALAR),
    ),
    "OnStartDeepHealthChecks": SCALARS,
    "TrainingPlanArn": SCALAR,
    "OverrideVpcConfig": _NETWORK,
    "ScheduledUpdateConfig": block(ScheduleExpression=SCALAR, DeploymentConfig=_DEPLOYMENT),
    "ImageId": SCALAR,
    "AutoPatchConfig": block(
        PatchingStrategy=SCALAR,
        PatchSchedule=block(),
        DeploymentConfig=_DEPLOYMENT,
        IdleWaitWindowInSeconds=SCALAR,
        DrainPolicy=block(DrainTimeoutInSeconds=SCALAR, OnDrainTimeout=SCALAR),
    ),
    "ImageReleaseVersion": SCALAR,
    "KubernetesConfig": block(Labels=block(), Taints=blocks(Key=SCALAR, Value=SCALAR, Effect=SCALAR)),
    "SlurmConfig": block(NodeType=SCALAR, PartitionNames=SCALARS),
    "CapacityRequirements": block(Spot=block(), OnDemand=block()),
    "NetworkInterface": block(InterfaceType=SCALAR),
    "Tags": ANY,
}
"""One item of `InstanceGroups`."""

_OF_A_STATE = dict.fromkeys(
    (
        "CurrentCount",
        "TargetCount",
        "MinCount",
        "InstanceTypeDetails",
        "Status",
        "TrainingPlanStatus",
        "CurrentImageId",
        "DesiredImageId",
        "CurrentImageReleaseVersion",
        "DesiredImageReleaseVersion",
        "ImageVersionStatus",
        "ActiveOperations",
        "TargetStateCount",
        "SoftwareUpdateStatus",
        "ActiveSoftwareUpdateConfig",
    ),
    ANY,
)

REQUEST: Mapping[str, Key] = {
    "ClusterName": SCALAR,
    "InstanceGroups": at_most(MOST_GROUPS, blocks(**INSTANCE_GROUP, **_OF_A_STATE)),
    "RestrictedInstanceGroups": at_most(
        MOST_GROUPS, unread(Form.BLOCKS, "no rule evaluates restricted instance groups")
    ),
    "RestrictedInstanceGroupsConfig": block(),
    "VpcConfig": _NETWORK,
    "Tags": blocks(Key=ANY, Value=ANY),
    "Orchestrator": block(
        Eks=block(ClusterArn=SCALAR),
        Slurm=block(
            SlurmConfigStrategy=SCALAR,
            AccountingDatabase=block(Endpoint=SCALAR, Port=SCALAR, Name=SCALAR, SecretArn=SCALAR),
        ),
    ),
    "NodeRecovery": SCALAR,
    "TieredStorageConfig": block(Mode=SCALAR, InstanceMemoryAllocationPercentage=SCALAR),
    "NodeProvisioningMode": SCALAR,
    "ClusterRole": SCALAR,
    "AutoScaling": block(Mode=SCALAR, AutoScalerType=SCALAR),
    "InstanceGroupsToDelete": SCALARS,
    # What `describe-cluster` prints beside the request.
    "ClusterArn": SCALAR,
    "ClusterStatus": SCALAR,
    "CreationTime": SCALAR,
    "FailureMessage": SCALAR,
}
"""The top level of a request, and of what `describe-cluster` prints."""
