"""The HyperPod cluster: SageMaker's instances, as nodes of an EKS cluster."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pulumi

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.hyperpod.commands import id_of, log_group
from muster.blueprint.hyperpod.create_cluster import RuntimeValues, definition
from muster.blueprint.kubernetes import Blueprint
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.fleet.resources import Reference
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import Component
from muster.infra.foundation import Foundation
from muster.infra.hyperpod.lifecycle import LifecycleScripts
from muster.infra.hyperpod.roles import autoscaler_role, instance_role
from muster.infra.security_groups import EfaSecurityGroup

# AWS's native provider, set up as the rest of the program is.
#
# The native provider creates the HyperPod cluster through Cloud Control: the other provider has no such resource. Its
# resources have no Region property, and a provider that a program registers reads no configuration of the stack:
# neither `aws:*`, which is for the other provider, nor `aws-native:*`. Settings that the program does not give it come
# from the environment, which may have another account's credentials.

if TYPE_CHECKING:
    import pulumi_aws_native as native

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
    "assumeRoleWithWebIdentity": (
        "remove it, and set AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE in the environment: both providers read "
        "them there"
    ),
    "ec2MetadataServiceEndpoint": (
        "remove it, and set AWS_EC2_METADATA_SERVICE_ENDPOINT in the environment: both providers read it there"
    ),
    "ec2MetadataServiceEndpointMode": (
        "remove it, and set AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE in the environment: both providers read it there"
    ),
    "sharedConfigFiles": (
        "remove it, and set AWS_CONFIG_FILE in the environment to one file: both providers read it there"
    ),
}
"""Key of the deployer's credentials that the native provider does not have -> the remedy."""

_OF_A_ROLE = frozenset({"externalId", "policy", "policyArns", "roleArn", "sessionName", "tags", "transitiveTagKeys"})
"""Keys of a role that both providers have, as on the wire: the SDK writes the block as JSON and renames no keys."""
_DURATION = "duration"
"""The duration of a role's session, with units (``1h30m``). The native provider expects `durationSeconds`."""
_SECONDS = {"h": 3600, "m": 60, "s": 1}
"""The units of a duration. Smaller units are left out, because no session needs them."""
_PARTS = re.compile(r"(\d+(?:\.\d+)?)([hms])")


def native_provider(blueprint: ClusterBlueprint, below: pulumi.ResourceOptions) -> "native.Provider":
    """The native provider, in the stack's Region, with the stack's credentials.

    Raises:
        pulumi.RunError: the stack has credentials that this provider does not support.
    """
    import pulumi_aws_native as native  # noqa: PLC0415 - a stack without HyperPod never loads it

    config = pulumi.Config("aws")
    for key, remedy in REFUSED.items():
        if config.get(key) is not None:
            raise _refused(key, "which does not support it", remedy)
    whom: dict[str, Any] = {
        **{ours: config.get(theirs) for theirs, ours in PASSED.items()},
        **{ours: config.get_secret(theirs) for theirs, ours in SECRETS.items()},
        **{ours: _list(config, theirs) for theirs, ours in ACCOUNTS.items()},
        "shared_credentials_file": _credentials(config),
        # The default is true: on a machine with an instance profile it would have no credentials.
        "skip_metadata_api_check": config.get_bool(METADATA) or False,
        "assume_role": _assumed(config),
    }
    given = {key: value for key, value in whom.items() if value is not None}
    return native.Provider("aws-native", region=blueprint.region, opts=below, **given)


def _list(config: pulumi.Config, key: str) -> list[str] | None:
    return [str(each) for each in config.get_object(key) or ()] or None


def _credentials(config: pulumi.Config) -> str | None:
    """The credentials file."""
    files = _list(config, CREDENTIALS) or []
    if len(files) > 1:
        raise _refused(
            CREDENTIALS, f"which accepts one file, not {len(files)}", "set only the file that the stack needs"
        )
    return files[0] if files else None


def _assumed(config: pulumi.Config) -> dict[str, Any] | None:
    """The role with which the stack deploys."""
    roles = config.get_object(ROLES) or []
    if len(roles) > 1:
        raise _refused(
            ROLES, f"which accepts one role, not {len(roles)}", "assume all roles except the last before you run pulumi"
        )
    if not roles:
        return None
    (role,) = roles
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
    return pulumi.RunError(f"aws:{key}: AWS's native provider creates the HyperPod cluster, {why}\n  fix: {remedy}")


class HyperPod(Component):
    """One cluster with all of its instance groups, its roles and its scripts.

    SageMaker reports the cluster as created when every group has started or failed. Cloud Control waits for that, at
    most twelve hours; Pulumi's timeouts do not change that. A change of its name, network or EKS cluster replaces it;
    the old one is deleted first, because an EKS cluster supports only one HyperPod cluster. Groups change in place.
    SageMaker refuses to change a group's type, network, threads or keys; a group with a new name can have others.

    Node counts are the description's, also with Karpenter: an `up` that changes any group sends all counts. The engine
    could ignore a count only by its index in the list, and the index depends on the names of the other groups.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        around: Foundation,
        efa: EfaSecurityGroup | None,
        needed: Sequence[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Registers it.

        Args:
            blueprint: of a cluster on HyperPod.
            cluster: the control plane that its nodes join.
            around: the network.
            efa: the security group that allows traffic between its instances.
            needed: the resources that must exist before the first instance starts.
            opts: resource options.
        """
        hyperpod = blueprint.hyperpod
        assert hyperpod is not None, "only a cluster on HyperPod has one"
        assert efa is not None, "HyperPod's instances always have their own group"
        name = hyperpod.cluster.ref.name
        super().__init__(name, opts)
        ids: dict[Reference, pulumi.Input[str]] = {CLUSTER_REF: cluster.security_group, EFA_GROUP_REF: efa.id}
        scripts = LifecycleScripts(hyperpod.bundle, blueprint, self.below()) if hyperpod.bundle else None
        role = (
            None if hyperpod.execution_role else instance_role(blueprint, cluster, around, ids, scripts, self.below())
        )
        creates_scaler = hyperpod.cluster.has_cluster_role and not hyperpod.cluster_role
        scaler = autoscaler_role(blueprint, cluster, self.below()) if creates_scaler else None
        role_arn = role.arn if role else pulumi.Output.from_input(str(hyperpod.execution_role))
        given = RuntimeValues(
            cluster_arn=cluster.arn,
            execution_role=role_arn,
            bundle=lambda group: scripts.folder(group) if scripts else None,
            id=lambda reference: ids.get(reference, around.id(reference)),
            cluster_role=scaler.arn if scaler else hyperpod.cluster_role,
        )
        import pulumi_aws_native as native  # noqa: PLC0415 - a stack without HyperPod never loads it

        self.native = native_provider(blueprint, self.below())
        made = native.sagemaker.Cluster(
            name,
            **snake_case(definition(blueprint, given)),
            opts=self.below(
                provider=self.native,
                depends_on=[
                    *needed,
                    *efa.rules,
                    *(role.attachments if role else ()),
                    *(scaler.attachments if scaler else ()),
                    *(scripts.ready if scripts else ()),
                ],
            ),
        )
        self.name: pulumi.Output[str] = pulumi.Output.from_input(str(hyperpod.cluster.name))
        self.arn: pulumi.Output[str] = made.cluster_arn
        self.role_arn: pulumi.Output[str] = role_arn
        self.bucket: pulumi.Output[str] | None = scripts.bucket if scripts else None
        self.register_outputs({"arn": self.arn})

    @property
    def cluster_id(self) -> pulumi.Output[str]:
        """The last part of its ARN."""
        return self.arn.apply(id_of)

    @property
    def log_group(self) -> pulumi.Output[str]:
        """The name of its CloudWatch log group, which HyperPod creates."""
        return pulumi.Output.all(self.name, self.cluster_id).apply(lambda known: log_group(*known))


def snake_case(value: Any) -> Any:
    """A request with the API's keys as arguments of the SDK: keys of structures are renamed, keys of maps are kept."""
    if isinstance(value, Mapping):
        return {_renamed(key): inner if key in _MAPS else snake_case(inner) for key, inner in value.items()}
    return [snake_case(each) for each in value] if isinstance(value, list) else value


_MAPS = frozenset({"Labels"})
"""Fields that are maps: users choose their keys."""
_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _renamed(key: str) -> str:
    return _WORD_BEGINS.sub("_", key).lower()
