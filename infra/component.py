"""The base of Muster's components, and what all of their resources share."""

from typing import Any

import pulumi

from muster.blueprint.logical_names import stack_tags, tags

__all__ = ["Component", "stack_tags", "tags"]


class Component(pulumi.ComponentResource):
    """A component of a cluster. Its type token `muster:infra:<Class>` must not change, because the state contains
    it."""

    def __init__(self, name: str, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__(f"muster:infra:{type(self).__name__}", name, None, opts)

    def below(self, **more: Any) -> pulumi.ResourceOptions:
        """Options for a resource inside this component."""
        return pulumi.ResourceOptions(parent=self, **more)
