"""AWS's native provider, set up as the rest of the program is.

The native provider creates what the other provider has no resource for, through Cloud Control: HyperPod clusters, and
clusters of PCS. Its resources have no Region property, and a provider that a program registers reads no configuration
of the stack: neither `aws:*`, which is for the other provider, nor `aws-native:*`. Settings that the program does not
give it come from the environment, which may have another account's credentials.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pulumi
import pulumi_aws_native as native

from muster.blueprint.cluster import ClusterBlueprint

PASSED: Mapping[str, str] = {"profile": "profile"}
"""Keys of `aws:*` -> the native provider's names for the same settings."""
SECRETS: Mapping[str, str] = {"accessKey": "access_key", "secretKey": "secret_key", "token": "token"}
ACCOUNTS: Mapping[str, str] = {
    "allowedAccountIds": "allowed_account_ids",
    "forbiddenAccountIds": "forbidden_account_ids",
}
"""Lists of accounts. They prevent that resources are created in another account."""
CREDENTIALS, METADATA, ROLES = "sharedCredentialsFiles", "skipMetadataApiCheck", "assumeRoles"
REFUSED: Mapping[str, str] = {
    "assumeRoleWithWebIdentity": "AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE",
    "ec2MetadataServiceEndpoint": "AWS_EC2_METADATA_SERVICE_ENDPOINT",
    "ec2MetadataServiceEndpointMode": "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE",
    "sharedConfigFiles": "AWS_CONFIG_FILE",
}
"""Key of the deployer's credentials that the native provider does not have -> what both providers read in the
environment."""

_OF_A_ROLE = frozenset({"externalId", "policy", "policyArns", "roleArn", "sessionName", "tags", "transitiveTagKeys"})
"""Keys of a role that both providers have, as on the wire: the SDK writes the block as JSON and renames no keys."""
_DURATION = "duration"
"""The duration of a role's session, with units (``1h30m``). The native provider expects `durationSeconds`."""
_SECONDS = {"h": 3600, "m": 60, "s": 1}
"""The units of a duration. Smaller units are left out, because no session needs them."""
_PARTS = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([hms])")


def native_provider(blueprint: ClusterBlueprint, below: pulumi.ResourceOptions) -> native.Provider:
    """The native provider, in the stack's Region, with the stack's credentials.

    Raises:
        pulumi.RunError: the stack has credentials that this provider does not support.
    """
    config = pulumi.Config("aws")
    for key, variables in REFUSED.items():
        if config.get(key) is not None:
            remedy = f"remove it, and set {variables} in the environment: both providers read it there"
            raise _refused(key, "which does not support it", remedy)
    whom: dict[str, Any] = {
        **{ours: config.get(theirs) for theirs, ours in PASSED.items()},
        **{ours: config.get_secret(theirs) for theirs, ours in SECRETS.items()},
        **{ours: _list(config, theirs) for theirs, ours in ACCOUNTS.items()},
        "shared_credentials_file": _one(config, CREDENTIALS, "set only the file that the stack needs"),
        # The default is true: on a machine with an instance profile it would have no credentials.
        "skip_metadata_api_check": config.get_bool(METADATA) or False,
        "assume_role": _assumed(config),
    }
    given = {key: value for key, value in whom.items() if value is not None}
    return native.Provider("aws-native", region=blueprint.region, opts=below, **given)


def _list(config: pulumi.Config, key: str) -> list[str] | None:
    return [str(each) for each in config.get_object(key) or ()] or None


def _one(config: pulumi.Config, key: str, remedy: str) -> Any:
    """The only item of a list; None if it has none."""
    listed = config.get_object(key) or []
    if len(listed) > 1:
        raise _refused(key, f"which accepts one, not {len(listed)}", remedy)
    return next(iter(listed), None)


def _assumed(config: pulumi.Config) -> dict[str, Any] | None:
    """The role with which the stack deploys."""
    role = _one(config, ROLES, "assume all roles except the last before you run pulumi")
    if role is None:
        return None
    unknown = sorted(key for key in set(role) - _OF_A_ROLE - {_DURATION} if role[key] is not None)
    if unknown:
        raise _refused(
            f"{ROLES}[0].{unknown[0]}",
            "which does not support it",
            "remove it, or assume the role before you run pulumi",
        )
    taken = {key: value for key, value in role.items() if key in _OF_A_ROLE}
    return taken | ({"durationSeconds": _seconds(role[_DURATION])} if role.get(_DURATION) is not None else {})


def _seconds(text: str) -> int:
    """A duration in whole seconds."""
    parts = _PARTS.findall(text)
    seconds = sum((Decimal(number) * _SECONDS[unit] for number, unit in parts), Decimal())
    if not parts or "".join(number + unit for number, unit in parts) != text or seconds % 1:
        raise _refused(
            f"{ROLES}[0].{_DURATION}",
            f"which needs whole seconds, but '{text}' is not a duration in whole seconds",
            "write a duration like 1h30m",
        )
    return int(seconds)


def _refused(key: str, why: str, remedy: str) -> pulumi.RunError:
    return pulumi.RunError(f"aws:{key}: AWS's native provider creates the cluster, {why}\n  fix: {remedy}")
