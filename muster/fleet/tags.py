"""AWS tags: what a resource of a stack has, whoever registers or prints it. Pure."""

from muster.fleet.blueprint import ClusterBlueprint

STACK_TAG = "muster:stack"
MUSTERS_TAGS = frozenset({STACK_TAG})
"""Keys that a stack's resources all have beside the description's."""


PROVIDERS_TAG = "parallelcluster:custom_resource"
"""The key of the tag that AWS's provider adds to a ParallelCluster's before it is validated."""


def tags(blueprint: ClusterBlueprint, name: str) -> dict[str, str]:
    """AWS tags of a resource: its name, the stack, and the description's own, which win."""
    return {"Name": f"{blueprint.cluster_name}-{name}", **stack_tags(blueprint)}


def stack_tags(blueprint: ClusterBlueprint) -> dict[str, str]:
    """AWS tags that all of a stack's resources share."""
    return {STACK_TAG: blueprint.stack, **blueprint.described.tags}
