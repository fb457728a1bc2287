"""The texts of a description that Muster sends to AWS, with the members of requests that they become; and those that it
does not send, with the reason."""

from muster.config.request_limits import SentField

_TEMPLATE = "ec2.CreateLaunchTemplate.LaunchTemplateData"
_RESERVED = f"{_TEMPLATE}.CapacityReservationSpecification.CapacityReservationTarget"
_RESERVATIONS_ARN = f"{_RESERVED}.CapacityReservationResourceGroupArn"
_MEMBER_ARN = "resource-groups.GroupResources.ResourceArns[]"
_PLACEMENT = f"{_TEMPLATE}.Placement.GroupName"
_GROUP_TAG = "autoscaling.CreateAutoScalingGroup.Tags[].Key"
_NODE_TEMPLATE = "k8s.io/cluster-autoscaler/node-template"
_INSTANCES = "sagemaker.CreateCluster.InstanceGroups[]"
_DATABASE = "sagemaker.CreateCluster.Orchestrator.Slurm.AccountingDatabase"
_QUOTA = "sagemaker.CreateComputeQuota"
_MLFLOW = "sagemaker.CreateMlflowTrackingServer"
_LINK = "fsx.CreateDataRepositoryAssociation"


def _tags(*more: tuple[str, str]) -> tuple[SentField, ...]:
    """Tags, which all resources have. Every cluster has IAM roles. Other services that accept tags only at creation
    (FSx, CloudWatch Logs, KMS, ECR, S3) accept at least the tags that IAM accepts.

    Args:
        more: the members of further requests for a tag's key and its value.
    """
    of = (("iam.CreateRole.Tags[].Key", "iam.CreateRole.Tags[].Value"), *more)
    return (
        SentField("tags.{key}", "a tag's key", tuple(key for key, _ in of)),
        SentField("tags.*", "a tag's value", tuple(value for _, value in of)),
    )


def _groups(at: str) -> tuple[SentField, ...]:
    """The fields of a group and its capacity that Muster sends to EC2."""
    held = f"{at}.capacity"
    return (
        SentField(f"{at}.instance", "an instance type", (f"{_TEMPLATE}.InstanceType",)),
        SentField(f"{held}.reservation.id", "a reservation's id", (f"{_RESERVED}.CapacityReservationId",)),
        SentField(f"{held}.capacity-block.id", "a reservation's id", (f"{_RESERVED}.CapacityReservationId",)),
        SentField(
            f"{held}.reservation-group.arn",
            "a resource group's ARN",
            (_RESERVATIONS_ARN,),
        ),
        SentField(
            f"{held}.reservation-group.create.*",
            "a reservation's ARN",
            (_MEMBER_ARN,),
        ),
        *(
            SentField(f"{held}.{kind}.placement-group", "a placement group's name", (_PLACEMENT,))
            for kind in ("reservation", "reservation-group")
        ),
        SentField(
            f"{held}.capacity-block.buy.offering",
            "an offering's id",
            ("ec2.PurchaseCapacityBlock.CapacityBlockOfferingId",),
        ),
        SentField(
            f"{held}.capacity-block.buy.approved.by",
            "a tag's value",
            ("ec2.PurchaseCapacityBlock.TagSpecifications[].Tags[].Value",),
        ),
    )


_EVERYWHERE: tuple[SentField, ...] = (
    SentField("network.existing.vpc", "a VPC's id", ("ec2.CreateSecurityGroup.VpcId",)),
    SentField("network.create.cidr", "a network", ("ec2.CreateVpc.CidrBlock",)),
    SentField("network.create.zones.*", "a zone's name", ("ec2.CreateSubnet.AvailabilityZone",)),
    SentField("storage.{key}", "a tag's value", ("fsx.CreateFileSystem.Tags[].Value",)),
    SentField("storage.*.lustre.key", "a key's ARN", ("fsx.CreateFileSystem.KmsKeyId",)),
    SentField("storage.*.lustre.data.{key}", "a path", (f"{_LINK}.FileSystemPath",)),
    SentField("storage.*.lustre.data.*.s3", "a place in S3", (f"{_LINK}.DataRepositoryPath",)),
    SentField("storage.*.existing-lustre.id", "a file system's id", ("fsx.DescribeFileSystems.FileSystemIds[]",)),
    SentField("registry.repository", "a repository's name", ("ecr.CreateRepository.repositoryName",)),
)


def _subnets(*members: str) -> tuple[SentField, ...]:
    every = (*members, "fsx.CreateFileSystem.SubnetIds[]")
    return tuple(SentField(f"network.existing.{tier}.*", "a subnet's id", every) for tier in ("private", "public"))


_ON_A_CONTROL_PLANE: tuple[SentField, ...] = (
    *_EVERYWHERE,
    SentField("name", "a cluster's name", ("eks.CreateCluster.name",)),
    SentField("kubernetes", "a version", ("eks.CreateCluster.version",)),
    SentField("control-plane.existing.name", "a cluster's name", ("eks.CreateAddon.clusterName",)),
    SentField("access.*.principal", "a principal's ARN", ("eks.CreateAccessEntry.principalArn",)),
    SentField("access.*.namespaces.*", "a namespace", ("eks.AssociateAccessPolicy.accessScope.namespaces[]",)),
    SentField("api.public.*", "a network", ("eks.CreateCluster.resourcesVpcConfig.publicAccessCidrs[]",)),
    SentField("secrets-key", "a key's ARN", ("eks.CreateCluster.encryptionConfig[].provider.keyArn",)),
)

ON_EKS: tuple[SentField, ...] = (
    *_ON_A_CONTROL_PLANE,
    *_subnets("eks.CreateNodegroup.subnets[]"),
    *_tags(("eks.CreateNodegroup.tags.key", "eks.CreateNodegroup.tags.value")),
    *_groups("groups.*"),
    SentField(
        "control-plane.existing.security-group", "a security group's id", (f"{_TEMPLATE}.NetworkInterfaces[].Groups[]",)
    ),
    SentField("groups.{key}", "a group's name", ("eks.CreateNodegroup.nodegroupName",)),
    SentField("groups.*.was", "a group's name", ("eks.CreateNodegroup.nodegroupName",)),
    SentField("groups.*.security-groups.*", "a security group's id", (f"{_TEMPLATE}.NetworkInterfaces[].Groups[]",)),
    SentField("groups.*.labels.{key}", "a label's key with its prefix", ("eks.CreateNodegroup.labels.key",)),
    SentField("groups.*.labels.*", "a label's value", ("eks.CreateNodegroup.labels.value",)),
    SentField("groups.*.taints.{key}", "a taint's key with its prefix", ("eks.CreateNodegroup.taints[].key",)),
    *(
        SentField(f"groups.*.{kind}s.{{key}}", "a tag's key", (_GROUP_TAG,), f"{_NODE_TEMPLATE}/{kind}/")
        for kind in ("label", "taint")
    ),
    SentField("groups.*.image.custom.id", "an image's id", (f"{_TEMPLATE}.ImageId",)),
    SentField("groups.*.image.custom.ssm", "the name of an SSM parameter", (f"{_TEMPLATE}.ImageId",)),
    SentField("groups.*.session.key-pair", "a key pair's name", (f"{_TEMPLATE}.KeyName",)),
)


def _lifecycle(at: str) -> tuple[SentField, ...]:
    scripts = f"{_INSTANCES}.LifeCycleConfig"
    return (
        SentField(f"{at}.lifecycle.own.at", "a place in S3", (f"{scripts}.SourceS3Uri",)),
        SentField(f"{at}.lifecycle.own.on-create", "a script's name", (f"{scripts}.OnCreate",)),
        SentField(f"{at}.lifecycle.own.on-init-complete", "a script's name", (f"{scripts}.OnInitComplete",)),
    )


_KUBERNETES = f"{_INSTANCES}.KubernetesConfig"

ON_HYPERPOD: tuple[SentField, ...] = (
    *_ON_A_CONTROL_PLANE,
    *_subnets("sagemaker.CreateCluster.VpcConfig.Subnets[]"),
    *_tags(("sagemaker.CreateCluster.Tags[].Key", "sagemaker.CreateCluster.Tags[].Value")),
    SentField(
        "control-plane.existing.security-group",
        "a security group's id",
        ("sagemaker.CreateCluster.VpcConfig.SecurityGroupIds[]",),
    ),
    SentField("groups.{key}", "a group's name", (f"{_INSTANCES}.InstanceGroupName",)),
    SentField("groups.*.instance", "an instance type", (f"{_INSTANCES}.InstanceType",)),
    SentField("groups.*.capacity.training-plan.arn", "a training plan's ARN", (f"{_INSTANCES}.TrainingPlanArn",)),
    SentField(
        "groups.*.security-groups.*", "a security group's id", (f"{_INSTANCES}.OverrideVpcConfig.SecurityGroupIds[]",)
    ),
    SentField("groups.*.labels.{key}", "a label's key with its prefix", (f"{_KUBERNETES}.Labels.key",)),
    SentField("groups.*.labels.*", "a label's value", (f"{_KUBERNETES}.Labels.value",)),
    SentField("groups.*.taints.{key}", "a taint's key with its prefix", (f"{_KUBERNETES}.Taints[].Key",)),
    *(
        SentField(
            f"groups.*.hyperpod.{key}",
            "a key's ARN",
            (f"{_INSTANCES}.InstanceStorageConfigs[].EbsVolumeConfig.VolumeKmsKeyId",),
        )
        for key in ("volume.key", "root-volume-key")
    ),
    *_lifecycle("hyperpod"),
    *_lifecycle("groups.*.hyperpod"),
    SentField("groups.*.hyperpod.image.release", "a release", (f"{_INSTANCES}.ImageReleaseVersion",)),
    SentField("groups.*.hyperpod.image.id", "an image's id", (f"{_INSTANCES}.ImageId",)),
    SentField(
        "groups.*.hyperpod.updates.schedule", "a schedule", (f"{_INSTANCES}.ScheduledUpdateConfig.ScheduleExpression",)
    ),
    SentField("hyperpod.execution-role", "a role's ARN", (f"{_INSTANCES}.ExecutionRole",)),
    SentField("hyperpod.cluster-role", "a role's ARN", ("sagemaker.CreateCluster.ClusterRole",)),
    SentField("hyperpod.name", "a cluster's name", ("sagemaker.CreateCluster.ClusterName",)),
    SentField("hyperpod.mlflow.name", "a tracking server's name", (f"{_MLFLOW}.TrackingServerName",)),
    SentField("hyperpod.mlflow.version", "a version", (f"{_MLFLOW}.MlflowVersion",)),
    SentField("hyperpod.mlflow.maintenance", "a time of the week", (f"{_MLFLOW}.WeeklyMaintenanceWindowStart",)),
    SentField("hyperpod.mlflow.pods.namespace", "a namespace", ("eks.CreatePodIdentityAssociation.namespace",)),
    SentField(
        "hyperpod.mlflow.pods.service-account",
        "a service account's name",
        ("eks.CreatePodIdentityAssociation.serviceAccount",),
    ),
    SentField("hyperpod.task-governance.teams.{key}", "a team's name", (f"{_QUOTA}.Name",)),
    *(
        SentField(
            f"hyperpod.task-governance.teams.*.{key}.{{key}}",
            "an instance type",
            (f"{_QUOTA}.ComputeQuotaConfig.ComputeQuotaResources[].InstanceType",),
        )
        for key in ("quota", "borrow-limits")
    ),
    *(
        SentField(
            f"hyperpod.task-governance.teams.*.{key}.*.partitions.profile",
            "a MIG profile",
            (f"{_QUOTA}.ComputeQuotaConfig.ComputeQuotaResources[].AcceleratorPartition.Type",),
        )
        for key in ("quota", "borrow-limits")
    ),
)

ON_HYPERPOD_SLURM: tuple[SentField, ...] = (
    *_EVERYWHERE,
    *_subnets("sagemaker.CreateCluster.VpcConfig.Subnets[]"),
    *_tags(("sagemaker.CreateCluster.Tags[].Key", "sagemaker.CreateCluster.Tags[].Value")),
    SentField("name", "a cluster's name", ("sagemaker.CreateCluster.ClusterName",)),
    SentField("groups.{key}", "a group's name", (f"{_INSTANCES}.InstanceGroupName",)),
    SentField("groups.*.partition", "a partition's name", (f"{_INSTANCES}.SlurmConfig.PartitionNames[]",)),
    SentField("groups.*.capacity.training-plan.arn", "a training plan's ARN", (f"{_INSTANCES}.TrainingPlanArn",)),
    *(
        SentField(f"{at}.name", "a group's name", (f"{_INSTANCES}.InstanceGroupName",))
        for at in ("controller", "login")
    ),
    *(
        each
        for at in ("controller", "login", "groups.*")
        for each in (
            SentField(f"{at}.instance", "an instance type", (f"{_INSTANCES}.InstanceType",)),
            SentField(
                f"{at}.security-groups.*",
                "a security group's id",
                (f"{_INSTANCES}.OverrideVpcConfig.SecurityGroupIds[]",),
            ),
            *(
                SentField(
                    f"{at}.hyperpod.{key}",
                    "a key's ARN",
                    (f"{_INSTANCES}.InstanceStorageConfigs[].EbsVolumeConfig.VolumeKmsKeyId",),
                )
                for key in ("volume.key", "root-volume-key")
            ),
            *_lifecycle(f"{at}.hyperpod"),
            SentField(f"{at}.hyperpod.image.release", "a release", (f"{_INSTANCES}.ImageReleaseVersion",)),
            SentField(f"{at}.hyperpod.image.id", "an image's id", (f"{_INSTANCES}.ImageId",)),
            SentField(
                f"{at}.hyperpod.updates.schedule",
                "a schedule",
                (f"{_INSTANCES}.ScheduledUpdateConfig.ScheduleExpression",),
            ),
        )
    ),
    *_lifecycle("hyperpod"),
    SentField("hyperpod.execution-role", "a role's ARN", (f"{_INSTANCES}.ExecutionRole",)),
    SentField("accounting.endpoint", "a server's name", (f"{_DATABASE}.Endpoint",)),
    SentField("accounting.secret", "a secret's ARN", (f"{_DATABASE}.SecretArn",)),
    SentField("accounting.database", "a database's name", (f"{_DATABASE}.Name",)),
    SentField("home.id", "a file system's id", ("fsx.DescribeFileSystems.FileSystemIds[]",)),
)

ON_PARALLELCLUSTER: tuple[SentField, ...] = (
    *_EVERYWHERE,
    *_subnets("ec2.RunInstances.NetworkInterfaces[].SubnetId"),
    # The tags of the stack, which CloudFormation adds to every resource that it creates.
    *_tags(("cloudformation.CreateStack.Tags[].Key", "cloudformation.CreateStack.Tags[].Value")),
    *_groups("queues.*.groups.*"),
    SentField("name", "a cluster's name", ("cloudformation.CreateStack.StackName",)),
    SentField("image", "an image's id", ("ec2.RunInstances.ImageId",)),
    SentField("head.instance", "an instance type", ("ec2.RunInstances.InstanceType",)),
    SentField("login-nodes.*.instance", "an instance type", ("ec2.RunInstances.InstanceType",)),
    SentField("login-nodes.*.ssh-from", "a network", ("ec2.AuthorizeSecurityGroupIngress.CidrIp",)),
    SentField("head.login.key-pair", "a key pair's name", ("ec2.RunInstances.KeyName",)),
    SentField("head.login.public-key", "a public key", ("ec2.ImportKeyPair.PublicKeyMaterial",)),
    SentField("head.ssh-from", "a network", ("ec2.AuthorizeSecurityGroupIngress.CidrIp",)),
    *(
        SentField(
            f"{at}.security-groups.*", "a security group's id", ("ec2.RunInstances.NetworkInterfaces[].Groups[]",)
        )
        for at in ("head", "queues.*", "login-nodes.*")
    ),
    SentField("accounting.password-secret", "a secret's ARN", ("secretsmanager.GetSecretValue.SecretId",)),
)

ON_PCS: tuple[SentField, ...] = (
    *_EVERYWHERE,
    *_subnets("pcs.CreateComputeNodeGroup.subnetIds[]"),
    *_tags(("pcs.CreateCluster.tags.key", "pcs.CreateCluster.tags.value")),
    *_groups("queues.*.groups.*"),
    SentField("name", "a cluster's name", ("pcs.CreateCluster.clusterName",)),
    SentField("image", "an image's id", ("pcs.CreateComputeNodeGroup.amiId",)),
    SentField("slurm.version", "a version", ("pcs.CreateCluster.scheduler.version",)),
    SentField(
        "slurm.settings.{key}",
        "a setting's name",
        ("pcs.CreateCluster.slurmConfiguration.slurmCustomSettings[].parameterName",),
    ),
    SentField(
        "slurm.settings.*",
        "a setting's value",
        ("pcs.CreateCluster.slurmConfiguration.slurmCustomSettings[].parameterValue",),
    ),
    SentField("queues.{key}", "a queue's name", ("pcs.CreateQueue.queueName",)),
    SentField("queues.*.groups.{key}", "a group's name", ("pcs.CreateComputeNodeGroup.computeNodeGroupName",)),
    SentField("login-nodes.{key}", "a group's name", ("pcs.CreateComputeNodeGroup.computeNodeGroupName",)),
    SentField("login-nodes.*.instance", "an instance type", (f"{_TEMPLATE}.InstanceType",)),
    SentField("login-nodes.*.key-pair", "a key pair's name", (f"{_TEMPLATE}.KeyName",)),
    *(
        SentField(f"{at}.security-groups.*", "a security group's id", (f"{_TEMPLATE}.NetworkInterfaces[].Groups[]",))
        for at in ("queues.*.groups.*", "login-nodes.*")
    ),
)


def members_sent() -> list[str]:
    """Every member of a request that a field of some backend becomes, without duplicates and in order."""
    every = (*ON_EKS, *ON_HYPERPOD, *ON_HYPERPOD_SLURM, *ON_PARALLELCLUSTER, *ON_PCS)
    return sorted({member for each in every for member in each.members})
