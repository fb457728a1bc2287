"""The base of Muster's components, and what all of their resources share."""

from typing import Any

import pulumi

from muster.fleet.blueprint import Blueprint


class Component(pulumi.ComponentResource):
    """A component of a cluster. Its type token `muster:infra:<Class>` is frozen: state holds it."""

    def __init__(self, name: str, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__(f"muster:infra:{type(self).__name__}", name, None, opts)

    def below(self, **more: Any) -> pulumi.ResourceOptions:
        """Options for a resource inside this component."""
        return pulumi.ResourceOptions(parent=self, **more)


def tags(blueprint: Blueprint, name: str) -> dict[str, str]:
    """AWS tags of a resource: its name, the stack, and the description's own, which win."""
    return {"Name": f"{blueprint.cluster_name}-{name}", **stack_tags(blueprint)}


def stack_tags(blueprint: Blueprint) -> dict[str, str]:
    """AWS tags that all of a stack's resources share."""
    return {"muster:stack": blueprint.stack, **blueprint.described.tags}
