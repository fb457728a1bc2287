"""IAM roles with AWS managed policies."""

import pulumi
import pulumi_aws as aws

from infra.component import Component, tags
from muster.fleet.blueprint import Blueprint
from muster.fleet.iam import managed_policy, name_prefix


class Role(Component):
    """A role and its policies. Whoever uses it depends on the whole: a role without its policies is no use, and on
    destroy the policies must outlive the user."""

    def __init__(
        self,
        name: str,
        blueprint: Blueprint,
        trust_policy: str,
        policies: tuple[str, ...],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__(name, opts)
        self.role = aws.iam.Role(
            name,
            name_prefix=name_prefix(blueprint.cluster_name, name),
            assume_role_policy=trust_policy,
            tags=tags(blueprint, name),
            opts=self.below(),
        )
        self.attachments = [
            aws.iam.RolePolicyAttachment(
                f"{name}-{policy}",
                role=self.role.name,
                policy_arn=managed_policy(blueprint.region, policy),
                opts=self.below(),
            )
            for policy in policies
        ]
        self.arn = self.role.arn
        self.register_outputs({"arn": self.arn})
