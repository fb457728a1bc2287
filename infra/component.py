"""The base of Muster's components, and what all of their resources share."""

import json
from typing import Any

import pulumi

from muster.fleet.blueprint import Blueprint
from muster.fleet.zones import partition_of


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


def managed_policy(blueprint: Blueprint, name: str) -> str:
    """The ARN of an AWS managed policy."""
    return f"arn:{partition_of(blueprint.region)}:iam::aws:policy/{name}"


def trust(service: str, *actions: str) -> str:
    """A role's trust policy for one AWS service, as JSON."""
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": sorted(actions)}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})
