"""Whether managed policies of a role allow to read objects in S3."""

from collections.abc import Collection

SAGEMAKER_BUCKETS = "AmazonSageMakerClusterInstanceRolePolicy"
"""The managed policy of HyperPod's instances, for buckets whose names begin with ``sagemaker-``."""
_EVERY = frozenset(
    {"AmazonS3ReadOnlyAccess", "AmazonS3FullAccess", "AdministratorAccess", "ReadOnlyAccess", "PowerUserAccess"}
)
_NONE = frozenset(
    {
        *(SAGEMAKER_BUCKETS, "AmazonSSMManagedInstanceCore", "CloudWatchAgentServerPolicy", "AmazonEKS_CNI_Policy"),
        *("AmazonEC2ContainerRegistryReadOnly", "AmazonEC2ContainerRegistryPullOnly", "AmazonFSxFullAccess"),
    }
)


def reads_every_bucket(policies: Collection[str]) -> bool | None:
    """Whether one of the policies, by ARN, allows to read every bucket; None if that is not known of one."""
    names = {each.rpartition("/")[2] for each in policies}
    return True if not _EVERY.isdisjoint(names) else False if _NONE.issuperset(names) else None
