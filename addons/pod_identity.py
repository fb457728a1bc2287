"""Roles of service accounts, by EKS Pod Identity."""

import json
from collections.abc import Mapping

import pulumi
import pulumi_aws as aws

from addons.addon import Permissions, Statement
from muster.fleet.iam import managed_policy, pod_trust
from muster.fleet.zones import partition_of


class PodIdentity(pulumi.ComponentResource):
    """The role of one service account: what its pods may do in AWS, and nobody else's."""

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
        super().__init__("muster:addons:PodIdentity", name, None, opts)
        below = pulumi.ResourceOptions(parent=self)
        role = aws.iam.Role(
            name,
            name_prefix=name_prefix,
            assume_role_policy=pod_trust(permissions.namespace, permissions.service_account, account),
            tags=tags,
            opts=below,
        )
        self.policies: list[pulumi.Resource] = [
            aws.iam.RolePolicyAttachment(
                f"{name}-{policy}",
                role=role.name,
                policy_arn=managed_policy(region, policy),
                opts=below,
            )
            for policy in permissions.managed
        ]
        if permissions.statements:
            statements = [_statement(each, partition_of(region), region) for each in permissions.statements]
            document = json.dumps({"Version": "2012-10-17", "Statement": statements})
            self.policies.append(aws.iam.RolePolicy(name, role=role.name, policy=document, opts=below))
        self.arn = role.arn
        self.register_outputs({"arn": self.arn})


def _statement(statement: Statement, partition: str, region: str) -> dict[str, object]:
    resources = [each.format(partition=partition, region=region) for each in statement.resources]
    said: dict[str, object] = {"Effect": "Allow", "Action": sorted(statement.actions), "Resource": resources}
    return {**said, "Condition": dict(statement.conditions)} if statement.conditions else said
