"""AWS's native provider, set up as the rest of the program is.

It is Cloud Control that makes HyperPod's cluster: no provider of Terraform's has it. A resource of it has no Region of
its own, and a provider that a program makes reads nothing of the stack's configuration: neither `aws:*`, which is for
the other provider, nor `aws-native:*`. What it is not told it takes from the environment, which may be somebody else.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pulumi

from muster.fleet.blueprint import Blueprint

if TYPE_CHECKING:
    import pulumi_aws_native as native

PASSED: Mapping[str, str] = {"profile": "profile"}
"""Keys of `aws:*` -> what the native provider calls the same."""
SECRETS: Mapping[str, str] = {"accessKey": "access_key", "secretKey": "secret_key", "token": "token"}
ACCOUNTS: Mapping[str, str] = {
    "allowedAccountIds": "allowed_account_ids",
    "forbiddenAccountIds": "forbidden_account_ids",
}
"""Lists of accounts: in a wrong one nothing is made."""
CREDENTIALS, METADATA, ROLES = "sharedCredentialsFiles", "skipMetadataApiCheck", "assumeRoles"
REFUSED: Mapping[str, str] = {
    "assumeRoleWithWebIdentity": (
        "leave it out, and set AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE in the environment: both providers read "
        "them there"
    ),
    "ec2MetadataServiceEndpoint": (
        "leave it out, and set AWS_EC2_METADATA_SERVICE_ENDPOINT in the environment: both providers read it there"
    ),
    "ec2MetadataServiceEndpointMode": (
        "leave it out, and set AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE in the environment: both providers read it there"
    ),
    "sharedConfigFiles": (
        "leave it out, and set AWS_CONFIG_FILE in the environment to one file: both providers read it there"
    ),
}
"""Keys that say who deploys and that the native provider does not have -> what to do."""

_OF_A_ROLE = frozenset({"externalId", "policy", "policyArns", "roleArn", "sessionName", "tags", "transitiveTagKeys"})
"""What both providers call the same of a role. As the wire has it: the SDK writes the whole as JSON and renames
nothing in it."""
_DURATION = "duration"
"""Of a role: text of units (``1h30m``); the native provider counts `durationSeconds`."""
_SECONDS = {"h": 3600, "m": 60, "s": 1}
"""Its units. It has smaller ones, of which no session has use."""
_PARTS = re.compile(r"(\d+(?:\.\d+)?)([hms])")


def native_provider(blueprint: Blueprint, below: pulumi.ResourceOptions) -> "native.Provider":
    """The provider, in the stack's Region and as whom the stack deploys.

    Raises:
        pulumi.RunError: the stack deploys as somebody that this provider cannot be.
    """
    import pulumi_aws_native as native  # noqa: PLC0415 - a stack without HyperPod never loads it

    config = pulumi.Config("aws")
    for key, remedy in REFUSED.items():
        if config.get(key) is not None:
            raise _refused(key, "which does not have it", remedy)
    whom: dict[str, Any] = {
        **{ours: config.get(theirs) for theirs, ours in PASSED.items()},
        **{ours: config.get_secret(theirs) for theirs, ours in SECRETS.items()},
        **{ours: _list(config, theirs) for theirs, ours in ACCOUNTS.items()},
        "shared_credentials_file": _credentials(config),
        # Its own default is true: on a machine with an instance profile it would be nobody.
        "skip_metadata_api_check": config.get_bool(METADATA) or False,
        "assume_role": _assumed(config),
    }
    said = {key: value for key, value in whom.items() if value is not None}
    return native.Provider("aws-native", region=blueprint.region, opts=below, **said)


def _list(config: pulumi.Config, key: str) -> list[str] | None:
    return [str(each) for each in config.get_object(key) or ()] or None


def _credentials(config: pulumi.Config) -> str | None:
    """The file that credentials are in."""
    files = _list(config, CREDENTIALS) or []
    if len(files) > 1:
        raise _refused(CREDENTIALS, f"which takes one file, not {len(files)}", "name the one that the stack needs")
    return files[0] if files else None


def _assumed(config: pulumi.Config) -> dict[str, Any] | None:
    """The role that the stack deploys by."""
    roles = config.get_object(ROLES) or []
    if len(roles) > 1:
        raise _refused(
            ROLES, f"which takes one role, not {len(roles)}", "assume all but the last one before you call pulumi"
        )
    if not roles:
        return None
    (role,) = roles
    unknown = sorted(key for key in set(role) - _OF_A_ROLE - {_DURATION} if role[key] is not None)
    if unknown:
        raise _refused(
            f"{ROLES}[0].{unknown[0]}",
            "which does not have it",
            "leave it out, or assume the role before you call pulumi",
        )
    taken = {key: value for key, value in role.items() if key in _OF_A_ROLE}
    return taken | ({"durationSeconds": _seconds(role[_DURATION])} if role.get(_DURATION) is not None else {})


def _seconds(text: str) -> int:
    """A duration in whole seconds."""
    parts = _PARTS.findall(text)
    seconds = sum((Decimal(number) * _SECONDS[unit] for number, unit in parts), Decimal())
    if not parts or "".join(number + unit for number, unit in parts) != text or seconds % 1:
        raise _refused(
            f"{ROLES}[0].{_DURATION}", f"which counts seconds; '{text}' is not so many", "write one like 1h30m"
        )
    return int(seconds)


def _refused(key: str, why: str, remedy: str) -> pulumi.RunError:
    return pulumi.RunError(f"aws:{key}: HyperPod's cluster is made by AWS's native provider, {why}\n  -> {remedy}")
