"""The validators of the package that Muster does not run, each with the reason why."""

from collections.abc import Mapping

SUPPRESSED: Mapping[str, str] = {
    "HeadNodeLaunchTemplateValidator": "asks EC2 itself, by a dry run of RunInstances; moto's judges nothing",
    "ComputeResourceLaunchTemplateValidator": "asks EC2 itself, by a dry run of RunInstances; moto's judges nothing",
    "CapacityBlockHealthStatusValidator": "asks for the health of an UltraServer's block in this minute",
    "UrlValidator": "opens the script's address; nobody is asked here, and S3 keys are read with the node's rights",
    "AsyncTimedUrlValidator": "opens the script's address; nobody is asked here",
    "PasswordSecretArnValidator": "asks whether the secret exists",
    "MungeKeySecretSizeAndBase64Validator": "reads a secret's value",
    "RoleValidator": "asks whether a role exists; Muster leaves roles to ParallelCluster",
    "InstanceProfileValidator": "asks whether an instance profile exists; Muster leaves them to ParallelCluster",
    "KmsKeyValidator": "asks whether a key exists",
    "S3BucketValidator": "asks whether a bucket exists",
    "S3BucketRegionValidator": "asks which Region a bucket is in",
    "S3BucketUriValidator": "asks whether a bucket exists",
    "HostedZoneValidator": "asks Route 53 for a zone",
    "LaunchTemplateValidator": "asks for a launch template; Muster leaves them to ParallelCluster",
    "SharedEbsVolumeIdValidator": "asks whether a volume exists; /apps is a volume that ParallelCluster makes",
}
"""What they ask is not known offline: moto would only repeat what it was told."""

_NOT_RENDERED = "of what Muster's descriptions do not have"

UNASKED: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "AMIVolumeSizeValidator",
            "ComponentsValidator",
            "InstanceTypeSoftwareValidator",
            "SecurityGroupsAndSubnetValidator",
        ),
        "of build-image's configuration, not of a cluster's",
    ),
}
"""What the package itself does not ask of any configuration that Muster renders."""
