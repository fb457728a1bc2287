"""AWS's native provider, set up as the rest of the program is.

It is Cloud Control that makes HyperPod's cluster: no provider of Terraform's has it. A resource of it has no Region of
its own, and a provider that a program makes reads nothing of the stack's configuration: neither `aws:*`, which is for
the other provider, nor `aws-native:*`.
"""

from typing import TYPE_CHECKING, Any

import pulumi

from muster.fleet.blueprint import Blueprint

if TYPE_CHECKING:
    import pulumi_aws_native as native

_SAME = {"accessKey": "access_key", "profile": "profile", "secretKey": "secret_key", "token": "token"}
"""Keys of `aws:*` -> what the native provider calls the same."""
_ASSUMED = frozenset(
    {
        "durationSeconds",
        "externalId",
        "policy",
        "policyArns",
        "roleArn",
        "sessionName",
        "tags",
        "transitiveTagKeys",
    }
)
"""What both providers call the same of a role. As the wire has it: the SDK writes the whole as JSON and renames
nothing in it."""
_SECRETS = frozenset({"accessKey", "secretKey", "token"})


def native_provider(blueprint: Blueprint, below: pulumi.ResourceOptions) -> "native.Provider":
    """The provider, in the stack's Region and as whom the stack deploys.

    Raises:
        pulumi.RunError: the stack deploys as somebody that this provider cannot be.
    """
    import pulumi_aws_native as native  # noqa: PLC0415 - a stack without HyperPod never loads it

    config = pulumi.Config("aws")
    whom: dict[str, Any] = {
        ours: config.get_secret(theirs) if theirs in _SECRETS else config.get(theirs)
        for theirs, ours in _SAME.items()
        if config.get(theirs) is not None
    }
    return native.Provider("aws-native", region=blueprint.region, assume_role=_assumed(config), opts=below, **whom)


def _assumed(config: pulumi.Config) -> dict[str, Any] | None:
    """The role that the stack deploys by."""
    roles = config.get_object("assumeRoles") or []
    if len(roles) > 1:
        raise pulumi.RunError(
            f"aws:assumeRoles: {len(roles)} roles, one by the other; HyperPod's cluster is made by AWS's native "
            "provider, which takes one\n  -> assume all but the last one before you call pulumi"
        )
    return {key: value for key, value in roles[0].items() if key in _ASSUMED} if roles else None
