"""IAM roles with AWS managed policies, and with an inline policy."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.group import EksGroup
from muster.blueprint.iam import managed_policy, name_prefix, trust
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import Component, tags


class Role(Component):
    """A role and its policies. A resource that uses the role depends on the whole component, so that the policies exist
    when it uses the role, and are deleted after it."""

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
    ) -> None:
        """
        Args:
            name: its logical name, part of its name in IAM.
            blueprint: of the cluster that the role is for.
            trust_policy: the trust policy, as JSON.
            policies: names of AWS managed policies.
            opts: options of the component.
            inline: an inline policy, as JSON.
            path: its path in IAM.
        """
        super().__init__(name, opts)
        self.role = aws.iam.Role(
            name,
            name_prefix=name_prefix(blueprint.name_stem, name),
            path=path,
            assume_role_policy=trust_policy,
            tags=tags(blueprint, name),
            opts=self.below(),
        )
        self.attachments: list[pulumi.Resource] = [
            aws.iam.RolePolicyAttachment(
                f"{name}-{policy}",
                role=self.role.name,
                policy_arn=managed_policy(blueprint.region, policy),
                opts=self.below(),
            )
            for policy in policies
        ]
        if inline is not None:
            self.attachments.append(aws.iam.RolePolicy(name, role=self.role.name, policy=inline, opts=self.below()))
        self.arn = self.role.arn
        self.register_outputs({"arn": self.arn})


_NODE_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly")
"""The policies that a node needs to join and to pull images (EKS user guide, "create-node-role"). The minimal policy
does not suffice, because nodeadm calls ec2:DescribeInstances. The CNI policy is absent: the CNI has its own role."""

_AUTO_MODE_NODE_POLICIES = ("AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly")
"""EKS user guide, auto-learn-iam."""
_SESSIONS = "AmazonSSMManagedInstanceCore"


def node_role(group: EksGroup, blueprint: Blueprint, below: pulumi.ResourceOptions) -> Role:
    """Each group has a role: EKS removes a managed group's access when the group is deleted."""
    session = group.described.session
    policies = (*_NODE_POLICIES, *((_SESSIONS,) if session and session.ssm else ()))
    if group.described.by_auto_mode:
        policies = _AUTO_MODE_NODE_POLICIES
    return Role(group.made_as, blueprint, trust("ec2.amazonaws.com", "sts:AssumeRole"), policies, below)


@dataclass(frozen=True, slots=True)
class NodeIdentity:
    """What nodes need to join that no managed group launches."""

    role: Role
    profile: aws.iam.InstanceProfile
    entry: aws.eks.AccessEntry

    @property
    def resources(self) -> list[pulumi.Resource]:
        """What must exist before a node is launched, and as long as one runs."""
        return [self.entry, self.profile, *self.role.attachments]


def node_identity(
    group: EksGroup, blueprint: Blueprint, cluster: ControlPlaneConnection, below: pulumi.ResourceOptions
) -> NodeIdentity:
    """The role of a group's nodes, with its instance profile and its access entry. EKS rejects nodes whose role has no
    entry, and creates entries only for managed groups."""
    role = node_role(group, blueprint, below)
    profile = aws.iam.InstanceProfile(
        group.made_as,
        name_prefix=name_prefix(blueprint.name_stem, group.made_as),
        role=role.role.name,
        tags=tags(blueprint, group.made_as),
        opts=below,
    )
    entry = access_entry(group, blueprint, cluster, role, "EC2_LINUX", below)
    return NodeIdentity(role, profile, entry)


def access_entry(
    group: EksGroup,
    blueprint: Blueprint,
    cluster: ControlPlaneConnection,
    role: Role,
    kind: str,
    below: pulumi.ResourceOptions,
) -> aws.eks.AccessEntry:
    """The access entry of the role of a group's nodes.

    Args:
        group: the group.
        blueprint: of its cluster.
        cluster: the control plane.
        role: the role of the nodes.
        kind: its type: ``EC2_LINUX``, or ``EC2`` for EKS Auto Mode.
        below: options of the resource.
    """
    return aws.eks.AccessEntry(
        group.made_as,
        cluster_name=cluster.name,
        principal_arn=role.arn,
        type=kind,
        tags=tags(blueprint, group.made_as),
        opts=below,
    )
