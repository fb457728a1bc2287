"""The validators of the package that Muster does not run, each with the reason why."""

from collections.abc import Mapping

SUPPRESSED: Mapping[str, str] = {
    "HeadNodeLaunchTemplateValidator": "asks EC2 itself, by a dry run of RunInstances; moto's judges nothing",
    "ComputeResourceLaunchTemplateValidator": "asks EC2 itself, by a dry run of RunInstances; moto's judges nothing",
    "AsyncTimedUrlValidator": "opens the script's address, and here nobody outside is asked",
    "PasswordSecretArnValidator": "asks whether the secret exists; moto would repeat what it was told",
}
"""What they check is not known offline: moto would only repeat the configuration."""


def _all(why: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, why)


SKIPPED: Mapping[str, str] = {
    **_all(
        "of build-image's configuration, not of a cluster's",
        "AMIVolumeSizeValidator",
        "ComponentsValidator",
        "InstanceTypeSoftwareValidator",
        "SecurityGroupsAndSubnetValidator",
    ),
    **_all(
        "of `Instances`: a group has one type",
        "InstancesAcceleratorsValidator",
        "InstancesAllocationStrategyValidator",
        "InstancesCPUValidator",
        "InstancesEFAValidator",
        "InstancesMemorySchedulingWarningValidator",
        "InstancesNetworkingValidator",
    ),
    **_all(
        "of `DirectoryService`, which is rendered nowhere",
        "AdditionalSssdConfigsValidator",
        "DomainAddrValidator",
        "DomainNameValidator",
        "LdapTlsReqCertValidator",
    ),
    **_all(
        "of EFS, which is rendered nowhere",
        "EfsAccessPointOptionsValidator",
        "EfsIdValidator",
        "EfsMountOptionsValidator",
    ),
    **_all(
        "of roles, policies and prefixes of one's own (`Iam`): ParallelCluster makes its roles",
        "IamPolicyValidator",
        "IamResourcePrefixValidator",
        "InstanceProfileValidator",
        "RoleValidator",
    ),
    **_all(
        "of KMS keys and file systems that ParallelCluster makes: Muster makes Lustre, and it is mounted by its id",
        "FsxAutoImportValidator",
        "KmsKeyIdEncryptedValidator",
        "KmsKeyValidator",
        "S3BucketUriValidator",
    ),
    **_all("of `CustomS3Bucket`, which is rendered nowhere", "S3BucketRegionValidator", "S3BucketValidator"),
    **_all(
        "of `ExternalSlurmdbd` and `MungeKeySecretArn`, which are rendered nowhere",
        "ArnServiceAndResourceValidator",
        "MungeKeySecretSizeAndBase64Validator",
    ),
    **_all(
        "of `DevSettings` beyond `Timeouts`: Muster sets no others",
        "CliAttributeOverridesValidator",
        "ExtraChefAttributesValidator",
    ),
    **_all(
        "of UltraServers (p6e-gb200), which moto does not know, nor in what health their blocks are",
        "CapacityBlockHealthStatusValidator",
        "UltraserverCapacityBlockSizeValidator",
    ),
    "CustomSlurmSettingsIncludeFileOnlyValidator": "of `CustomSlurmSettingsIncludeFile`, which is rendered nowhere",
    "DcvValidator": "of remote desktops (`Dcv`), which are rendered nowhere",
    "HostedZoneValidator": "of `Dns.HostedZoneId`, which is rendered nowhere",
    "IntelHpcArchitectureValidator": "of `AdditionalPackages`, which is rendered nowhere",
    "IntelHpcOsValidator": "of `AdditionalPackages`, which is rendered nowhere",
    "LambdaFunctionsVpcConfigValidator": "of `DeploymentSettings`, which is rendered nowhere",
    "LaunchTemplateValidator": "of `LaunchTemplateOverrides`, which is rendered nowhere",
    "SharedFileCacheNotHomeValidator": "of File Cache, which is rendered nowhere",
    "SubnetsValidator": "of clusters with `LoginNodes` alone, in 3.16.1; rules of Muster's read subnets",
    "UrlValidator": "of `CustomSlurmSettingsIncludeFile`; scripts meet its timed twin",
}
"""Validators that the package runs on no configuration that Muster renders."""
