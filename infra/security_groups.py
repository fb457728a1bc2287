"""The security group of EFA traffic, and the one that all nodes of a Slurm cluster carry."""

from typing import TYPE_CHECKING

import pulumi
import pulumi_aws as aws

from muster.blueprint.kubernetes import Blueprint
from muster.fleet.resources.ec2 import EVERY_PROTOCOL, EVERYWHERE
from muster.infra.component import Component, tags
from muster.infra.network import Foundation

if TYPE_CHECKING:
    from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint


class EfaSecurityGroup(Component):
    """A group that allows everything to and from itself, and nothing else.

    EFA traffic is not IP. A rule for 0.0.0.0/0 does not cover it; a rule that names the group does. EFA needs such a
    rule in each direction (EKS user guide, "device-management-efa"; gardener-extension-provider-aws#1832).
    """

    def __init__(self, blueprint: Blueprint, around: Foundation) -> None:
        super().__init__("efa")
        group = aws.ec2.SecurityGroup(
            "efa",
            name_prefix=f"{blueprint.name_stem}-efa-",
            description="EFA traffic between nodes: everything to and from itself",
            vpc_id=around.vpc,
            tags=tags(blueprint, "efa"),
            opts=self.below(),
        )
        self.rules = rules_for_itself(
            "efa",
            group,
            self.below(),
            inbound="EFA traffic from nodes with this group",
            outbound="EFA traffic to nodes with this group",
        )
        self.id = group.id
        self.register_outputs({"id": self.id})


def rules_for_itself(
    name: str, group: aws.ec2.SecurityGroup, below: pulumi.ResourceOptions, *, inbound: str, outbound: str
) -> list[pulumi.Resource]:
    """The two rules that allow everything from a group's members, and to them.

    Args:
        name: the prefix of the rules' names.
        group: the security group.
        below: the options of the rules.
        inbound: the description of the rule for traffic from the group.
        outbound: the description of the rule for traffic to the group.
    """
    return [
        aws.vpc.SecurityGroupIngressRule(
            f"{name}-from-itself",
            description=inbound,
            security_group_id=group.id,
            referenced_security_group_id=group.id,
            ip_protocol=EVERY_PROTOCOL,
            opts=below,
        ),
        aws.vpc.SecurityGroupEgressRule(
            f"{name}-to-itself",
            description=outbound,
            security_group_id=group.id,
            referenced_security_group_id=group.id,
            ip_protocol=EVERY_PROTOCOL,
            opts=below,
        ),
    ]


def rule_to_everywhere(
    name: str, group: aws.ec2.SecurityGroup, below: pulumi.ResourceOptions, description: str
) -> pulumi.Resource:
    """The rule that allows all IPv4 traffic out."""
    return aws.vpc.SecurityGroupEgressRule(
        f"{name}-to-everywhere",
        description=description,
        security_group_id=group.id,
        cidr_ipv4=EVERYWHERE,
        ip_protocol=EVERY_PROTOCOL,
        opts=below,
    )


class NodesSecurityGroup(Component):
    """The security group of a Slurm cluster's nodes that rules of file systems and databases name as their source.

    It has only the rules that file systems add. ParallelCluster creates its own groups with the cluster, attaches
    them in addition, and they allow the traffic between nodes. This group exists before the cluster and after it.
    """

    def __init__(self, blueprint: "ParallelClusterBlueprint", around: Foundation) -> None:
        name = blueprint.nodes_security_group.ref.name
        super().__init__(name)
        group = aws.ec2.SecurityGroup(
            name,
            name_prefix=f"{blueprint.name_stem}-{name}-",
            description="Carried by all nodes of the Slurm cluster",
            vpc_id=around.vpc,
            tags=tags(blueprint, name),
            opts=self.below(),
        )
        self.id = group.id
        self.register_outputs({"id": self.id})
