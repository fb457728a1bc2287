"""The validators of the package that Muster does not run, each with the reason."""

from collections.abc import Mapping

SUPPRESSED: Mapping[str, str] = {
    "HeadNodeLaunchTemplateValidator": "needs a dry run of RunInstances in EC2; moto's dry run checks nothing",
    "ComputeResourceLaunchTemplateValidator": "needs a dry run of RunInstances in EC2; moto's dry run checks nothing",
    "AsyncTimedUrlValidator": "opens the URL of the script; Muster does not use the network here",
    "PasswordSecretArnValidator": "checks that the secret exists; moto would only repeat the configuration",
}
"""Validator -> the reason (after "it "). What these validators check is not known offline."""


def _all(why: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, why)


SKIPPED: Mapping[str, str] = {
    **_all(
        "checks the configuration of `build-image`, not of a cluster",
        "AMIVolumeSizeValidator",
        "ComponentsValidator",
        "InstanceTypeSoftwareValidator",
        "SecurityGroupsAndSubnetValidator",
    ),
    **_all(
        "checks compute resources with several `Instances`; a group in Muster has one instance type",
        "InstancesAcceleratorsValidator",
        "InstancesAllocationStrategyValidator",
        "InstancesCPUValidator",
        "InstancesEFAValidator",
        "InstancesMemorySchedulingWarningValidator",
        "InstancesNetworkingValidator",
    ),
    **_all(
        "checks `DirectoryService`, which Muster never renders",
        "AdditionalSssdConfigsValidator",
        "DomainAddrValidator",
        "DomainNameValidator",
        "LdapTlsReqCertValidator",
    ),
    **_all(
        "checks EFS, which Muster never renders",
        "EfsAccessPointOptionsValidator",
        "EfsIdValidator",
        "EfsMountOptionsValidator",
    ),
    **_all(
        "checks custom roles, policies and prefixes (`Iam`); with Muster, ParallelCluster creates the roles",
        "IamPolicyValidator",
        "IamResourcePrefixValidator",
        "InstanceProfileValidator",
        "RoleValidator",
    ),
    **_all(
        "checks KMS keys and file systems that ParallelCluster creates; Muster creates the Lustre file systems, and "
        "ParallelCluster mounts them by id",
        "FsxAutoImportValidator",
        "KmsKeyIdEncryptedValidator",
        "KmsKeyValidator",
        "S3BucketUriValidator",
    ),
    **_all("checks `CustomS3Bucket`, which Muster never renders", "S3BucketRegionValidator", "S3BucketValidator"),
    **_all(
        "checks `ExternalSlurmdbd` and `MungeKeySecretArn`, which Muster never renders",
        "ArnServiceAndResourceValidator",
        "MungeKeySecretSizeAndBase64Validator",
    ),
    **_all(
        "checks `DevSettings` other than `Timeouts`, which Muster never renders",
        "CliAttributeOverridesValidator",
        "ExtraChefAttributesValidator",
    ),
    **_all(
        "checks UltraServers (p6e-gb200); moto knows neither them nor the health of their Capacity Blocks",
        "CapacityBlockHealthStatusValidator",
        "UltraserverCapacityBlockSizeValidator",
    ),
    "CustomSlurmSettingsIncludeFileOnlyValidator": (
        "checks `CustomSlurmSettingsIncludeFile`, which Muster never renders"
    ),
    "DcvValidator": "checks remote desktops (`Dcv`), which Muster never renders",
    "HostedZoneValidator": "checks `Dns.HostedZoneId`, which Muster never renders",
    "IntelHpcArchitectureValidator": "checks `AdditionalPackages`, which Muster never renders",
    "IntelHpcOsValidator": "checks `AdditionalPackages`, which Muster never renders",
    "LambdaFunctionsVpcConfigValidator": "checks `DeploymentSettings`, which Muster never renders",
    "LaunchTemplateValidator": "checks `LaunchTemplateOverrides`, which Muster never renders",
    "SharedFileCacheNotHomeValidator": "checks File Cache, which Muster never renders",
    "UrlValidator": "checks `CustomSlurmSettingsIncludeFile`; for scripts, AsyncTimedUrlValidator runs",
}
"""Validators that the package never runs on a configuration that Muster renders -> the reason."""
