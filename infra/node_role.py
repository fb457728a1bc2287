"""The role of a group's nodes."""

import pulumi

from infra.role import Role
from muster.fleet.blueprint import Blueprint, EksGroup
from muster.fleet.iam import trust

_NODE_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly")
"""What a node needs to join and pull images (EKS user guide, "create-node-role"). Not the minimal policy: nodeadm
asks ec2:DescribeInstances. Not the CNI policy: the CNI has a role of its own."""

_SESSIONS = "AmazonSSMManagedInstanceCore"


def node_role(group: EksGroup, blueprint: Blueprint, below: pulumi.ResourceOptions) -> Role:
    """Each group has a role of its own: EKS takes back a managed group's access when that group goes."""
    session = group.described.session
    policies = (*_NODE_POLICIES, *((_SESSIONS,) if session and session.ssm else ()))
    return Role(group.made_as, blueprint, trust("ec2.amazonaws.com", "sts:AssumeRole"), policies, below)
