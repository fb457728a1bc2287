"""AWS tags and bucket names of a stack's resources. Pure."""

from muster.blueprint.cluster import ClusterBlueprint

STACK_TAG = "muster:stack"
"""Key of the tag that all resources of a stack have, besides the description's tags."""


def tags(blueprint: ClusterBlueprint, name: str) -> dict[str, str]:
    """AWS tags of a resource: its name, the stack, and the description's tags, which override the others."""
    return {"Name": f"{blueprint.cluster_name}-{name}", **stack_tags(blueprint)}


def stack_tags(blueprint: ClusterBlueprint) -> dict[str, str]:
    """AWS tags that all of a stack's resources share."""
    return {STACK_TAG: blueprint.stack, **blueprint.described.tags}


SAGEMAKER_PREFIX = "sagemaker-"
"""HyperPod's managed policy lets instances read buckets of such names only
(AmazonSageMakerClusterInstanceRolePolicy)."""

LONGEST_PREFIX = 37
"""The maximum number of characters of a prefix: a bucket's name has at most 63, and the provider's suffix has 26."""


def bucket_prefix(begins: str) -> str:
    """The prefix of a bucket's name for the provider: lower case, cut to its maximum length, with one dash at the end.

    The function is idempotent.

    Args:
        begins: the beginning of the name, of letters, digits and dashes.
    """
    return f"{begins.lower()[: LONGEST_PREFIX - 1].rstrip('-')}-"
