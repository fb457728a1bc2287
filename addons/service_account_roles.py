"""The IAM roles of service accounts: by EKS Pod Identity, or by the OIDC provider of the cluster."""

from collections.abc import Mapping

import pulumi
import pulumi_aws as aws

from muster.addons.addon import Permissions, Statement
from muster.blueprint.iam import allow, managed_policy, oidc_trust, pod_trust, policy
from muster.config.description.iam import AddonsIam
from muster.hardware.zones import partition_of


class ServiceAccountRole(pulumi.ComponentResource):
    """The IAM role of one service account, with its policies; or an existing one as it is."""

    def __init__(
        self,
        permissions: Permissions,
        trust: pulumi.Input[str],
        *,
        region: str,
        name_prefix: pulumi.Input[str],
        tags: Mapping[str, pulumi.Input[str]],
        iam: AddonsIam,
        given: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        name = permissions.logical_name
        super().__init__(f"muster:addons:{'OidcRole' if permissions.by_oidc else 'PodIdentity'}", name, None, opts)
        below = pulumi.ResourceOptions(parent=self)
        self.policies: list[pulumi.Resource] = []
        self.arn: pulumi.Output[str] = pulumi.Output.from_input(given or "")
        if given is None:
            role = aws.iam.Role(
                name,
                name_prefix=name_prefix,
                path=iam.path,
                permissions_boundary=iam.permissions_boundary,
                assume_role_policy=trust,
                tags=tags,
                opts=below,
            )
            self.policies += [
                aws.iam.RolePolicyAttachment(f"{name}-{each}", role=role.name, policy_arn=arn, opts=below)
                for each, arn in _attached(permissions, region).items()
            ]
            if permissions.statements:
                statements = [_statement(each, partition_of(region), region) for each in permissions.statements]
                self.policies.append(aws.iam.RolePolicy(name, role=role.name, policy=policy(*statements), opts=below))
            self.arn = role.arn
        self.register_outputs({"arn": self.arn})


def trust_of(
    permissions: Permissions, account: str, provider: pulumi.Input[str], issuer: pulumi.Input[str]
) -> pulumi.Input[str]:
    """The trust policy of a role: for EKS Pod Identity, or for the tokens of the service account.

    Args:
        permissions: whose role it is.
        account: the id of the AWS account.
        provider: the ARN of the IAM OIDC provider of the cluster.
        issuer: the issuer of the cluster's tokens.
    """
    namespace, name = permissions.namespace, permissions.service_account
    if not permissions.by_oidc:
        return pod_trust(namespace, name, account)
    return pulumi.Output.all(provider, issuer).apply(
        lambda given: oidc_trust(given[0], given[1], namespace, name, permissions.services)
    )


def _attached(permissions: Permissions, region: str) -> dict[str, str]:
    """Name of a policy -> its ARN."""
    managed = {name: managed_policy(region, name) for name in permissions.managed}
    return {**managed, **{arn.rpartition("/")[2]: arn for arn in permissions.policies}}


def _statement(statement: Statement, partition: str, region: str) -> dict[str, object]:
    resources = [each.format(partition=partition, region=region) for each in statement.resources]
    return allow(statement.actions, resources)
