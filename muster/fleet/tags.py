"""AWS tags: what a resource of a stack has, whoever registers or prints it. Pure."""

from muster.fleet.blueprint import Blueprint


def tags(blueprint: Blueprint, name: str) -> dict[str, str]:
    """AWS tags of a resource: its name, the stack, and the description's own, which win."""
    return {"Name": f"{blueprint.cluster_name}-{name}", **stack_tags(blueprint)}


def stack_tags(blueprint: Blueprint) -> dict[str, str]:
    """AWS tags that all of a stack's resources share."""
    return {"muster:stack": blueprint.stack, **blueprint.described.tags}
