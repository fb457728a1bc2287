"""The IAM roles of service accounts: by EKS Pod Identity, or by the OIDC provider of the cluster."""

import json
from collections.abc import Mapping

import pulumi
import pulumi_aws as aws

from muster.addons.addon import Permissions, Statement
from muster.blueprint.iam import managed_policy, oidc_trust, pod_trust
from muster.hardware.zones import partition_of


class ServiceAccountRole(pulumi.ComponentResource):
    """The IAM role of one service account, with its policies."""

    def __init__(
        self,
        kind: str,
        name: str,
        permissions: Permissions,
        trust: pulumi.Input[str],
        *,
        region: str,
        name_prefix: pulumi.Input[str],
        tags: Mapping[str, pulumi.Input[str]],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__(kind, name, None, opts)
        below = pulumi.ResourceOptions(parent=self)
        role = aws.iam.Role(name, name_prefix=name_prefix, assume_role_policy=trust, tags=tags, opts=below)
        self.policies: list[pulumi.Resource] = [
            aws.iam.RolePolicyAttachment(f"{name}-{policy}", role=role.name, policy_arn=arn, opts=below)
            for policy, arn in _attached(permissions, region).items()
        ]
        if permissions.statements:
            statements = [_statement(each, partition_of(region), region) for each in permissions.statements]
            document = json.dumps({"Version": "2012-10-17", "Statement": statements})
            self.policies.append(aws.iam.RolePolicy(name, role=role.name, policy=document, opts=below))
        self.arn = role.arn
        self.register_outputs({"arn": self.arn})


class PodIdentity(ServiceAccountRole):
    """A role that pods get by EKS Pod Identity."""

    def __init__(
        self,
        name: str,
        permissions: Permissions,
        *,
        region: str,
        account: str,
        name_prefix: pulumi.Input[str],
        tags: Mapping[str, pulumi.Input[str]],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__(
            "muster:addons:PodIdentity",
            name,
            permissions,
            pod_trust(permissions.namespace, permissions.service_account, account),
            region=region,
            name_prefix=name_prefix,
            tags=tags,
            opts=opts,
        )


class OidcRole(ServiceAccountRole):
    """A role that pods get by the tokens of their service account (IAM roles for service accounts)."""

    def __init__(
        self,
        name: str,
        permissions: Permissions,
        *,
        provider: pulumi.Input[str],
        issuer: pulumi.Input[str],
        region: str,
        name_prefix: pulumi.Input[str],
        tags: Mapping[str, pulumi.Input[str]],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        trust = pulumi.Output.all(provider, issuer).apply(
            lambda given: oidc_trust(
                given[0], given[1], permissions.namespace, permissions.service_account, permissions.services
            )
        )
        super().__init__(
            "muster:addons:OidcRole",
            name,
            permissions,
            trust,
            region=region,
            name_prefix=name_prefix,
            tags=tags,
            opts=opts,
        )


def _attached(permissions: Permissions, region: str) -> dict[str, str]:
    """Name of a policy -> its ARN."""
    managed = {name: managed_policy(region, name) for name in permissions.managed}
    return {**managed, **{arn.rpartition("/")[2]: arn for arn in permissions.policies}}


def _statement(statement: Statement, partition: str, region: str) -> dict[str, object]:
    resources = [each.format(partition=partition, region=region) for each in statement.resources]
    made: dict[str, object] = {"Effect": "Allow", "Action": sorted(statement.actions), "Resource": resources}
    return {**made, "Condition": dict(statement.conditions)} if statement.conditions else made
