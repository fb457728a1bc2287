"""AWS tags and bucket names of a stack's resources. Pure."""

from muster.blueprint.cluster import ClusterBlueprint

STACK_TAG = "muster:stack"
MUSTER_TAGS = frozenset({STACK_TAG})
"""Keys that a stack's resources all have beside the description's."""


PARALLELCLUSTER_PROVIDER_TAG = "parallelcluster:custom_resource"
"""The key of the tag that AWS's provider adds to a ParallelCluster's before it is validated."""


def tags(blueprint: ClusterBlueprint, name: str) -> dict[str, str]:
    """AWS tags of a resource: its name, the stack, and the description's own, which win."""
    return {"Name": f"{blueprint.cluster_name}-{name}", **stack_tags(blueprint)}


def stack_tags(blueprint: ClusterBlueprint) -> dict[str, str]:
    """AWS tags that all of a stack's resources share."""
    return {STACK_TAG: blueprint.stack, **blueprint.described.tags}


SAGEMAKER_PREFIX = "sagemaker-"
"""HyperPod's managed policy lets instances read buckets of such names only
(AmazonSageMakerClusterInstanceRolePolicy)."""

LONGEST_PREFIX = 37
"""Characters that the provider takes: its own suffix has 26, and a bucket's name 63."""


def bucket_prefix(begins: str) -> str:
    """What the provider is given of a name: lower case, cut to what it takes, with one dash at the end.

    Of what it has made it makes the same.

    Args:
        begins: the beginning of the name, of letters, digits and dashes.
    """
    return f"{begins.lower()[: LONGEST_PREFIX - 1].rstrip('-')}-"
