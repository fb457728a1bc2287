"""IAM roles with managed policies, and with an inline policy; or existing roles in place of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.group import EksGroup
from muster.blueprint.iam import attached, managed_policy, name_prefix, role_name, trust
from muster.infra.cluster_connection import ControlPlaneConnection, node_entry
from muster.infra.component import Component, tags


class Role(Component):
    """A role and its policies, or an existing role as it is. A resource that uses the role depends on the whole
    component, so that the policies exist when it uses the role, and are deleted after it."""

    def __init__(
        self,
        name: str,
        blueprint: ClusterBlueprint,
        trust_policy: str,
        policies: tuple[str, ...],
        opts: pulumi.ResourceOptions | None = None,
        *,
        inline: pulumi.Input[str] | None = None,
        path: str | None = None,
        more: Sequence[str] = (),
        given: str | None = None,
    ) -> None:
        """
        Args:
            name: its logical name, part of its name in IAM.
            blueprint: of the cluster that the role is for.
            trust_policy: the trust policy, as JSON.
            policies: names of AWS managed policies.
            opts: options of the component.
            inline: an inline policy, as JSON.
            path: its path in IAM, if the description sets none.
            more: ARNs of other managed policies.
            given: the ARN of the existing role in place of it, to which nothing is attached.
        """
        super().__init__(name, opts)
        self.attachments: list[pulumi.Resource] = []
        if given is not None:
            self.arn, self.name = pulumi.Output.from_input(given), pulumi.Output.from_input(role_name(given))
            self.register_outputs({"arn": self.arn})
            return
        iam = blueprint.described.iam
        # PCS demands the one or the other (`PCS_PATH`).
        begins = "AWSPCS-" if path and iam.path else ""
        made = aws.iam.Role(
            name,
            name_prefix=name_prefix(f"{begins}{blueprint.name_stem}", name),
            path=iam.path or path,
            permissions_boundary=iam.permissions_boundary,
            assume_role_policy=trust_policy,
            tags=tags(blueprint, name),
            opts=self.below(),
        )
        self.arn, self.name = made.arn, made.name
        listed = (*(managed_policy(blueprint.region, each) for each in policies), *more)
        self.attachments += [
            aws.iam.RolePolicyAttachment(f"{name}-{each}", role=self.name, policy_arn=arn, opts=self.below())
            for each, arn in attached(listed).items()
        ]
        if inline is not None:
            self.attachments.append(aws.iam.RolePolicy(name, role=self.name, policy=inline, opts=self.below()))
        self.register_outputs({"arn": self.arn})


def instance_profile(
    name: str, blueprint: ClusterBlueprint, role: Role, below: pulumi.ResourceOptions, path: str | None = None
) -> aws.iam.InstanceProfile:
    """The instance profile of a role.

    Args:
        name: its logical name, part of its name in IAM.
        blueprint: of the cluster that it is for.
        role: the role.
        below: options of the resource.
        path: its path in IAM, if the description sets none.
    """
    return aws.iam.InstanceProfile(
        name,
        name_prefix=name_prefix(blueprint.name_stem, name),
        path=blueprint.described.iam.path or path,
        role=role.name,
        tags=tags(blueprint, name),
        opts=below,
    )


_NODE_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly")
"""The policies that a node needs to join and to pull images (EKS user guide, "create-node-role"). The minimal policy
does not suffice, because nodeadm calls ec2:DescribeInstances. The CNI policy is absent: the CNI has its own role."""

_AUTO_MODE_NODE_POLICIES = ("AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly")
"""EKS user guide, auto-learn-iam."""
_SESSIONS = "AmazonSSMManagedInstanceCore"


def node_role(group: EksGroup, blueprint: Blueprint, below: pulumi.ResourceOptions) -> Role:
    """Each group has a role: EKS removes a managed group's access when the group is deleted. An existing role may be
    that of several groups."""
    session = group.described.session
    policies = (*_NODE_POLICIES, *((_SESSIONS,) if session and session.ssm else ()))
    if group.described.by_auto_mode:
        policies = _AUTO_MODE_NODE_POLICIES
    return Role(
        group.made_as,
        blueprint,
        trust("ec2.amazonaws.com", "sts:AssumeRole"),
        policies,
        below,
        more=group.described.policies,
        given=blueprint.described.role_of(group.described),
    )


@dataclass(frozen=True, slots=True)
class NodeIdentity:
    """What nodes need to join that no managed group launches."""

    role: Role
    name: pulumi.Output[str]
    """Of the instance profile. EKS Auto Mode makes its own: there, of the role."""
    resources: tuple[pulumi.Resource, ...]
    """What must exist before a node is launched, and as long as one runs."""


def node_identity(
    group: EksGroup, blueprint: Blueprint, cluster: ControlPlaneConnection, below: pulumi.ResourceOptions
) -> NodeIdentity:
    """The role of a group's nodes, with its instance profile and its access entry. EKS rejects nodes whose role has no
    entry, and creates entries only for managed groups. An existing role, which may be that of several groups, has its
    one entry with the cluster's."""
    role, auto_mode = node_role(group, blueprint, below), group.described.by_auto_mode
    entries = cluster.access
    if not blueprint.described.role_of(group.described):
        entries = node_entry(group.made_as, blueprint, cluster.name, role.arn, below, auto_mode=auto_mode)
    needed = (*entries, *role.attachments)
    if auto_mode:
        return NodeIdentity(role, role.name, needed)
    profile = instance_profile(group.made_as, blueprint, role, below)
    return NodeIdentity(role, profile.name, (*needed, profile))
