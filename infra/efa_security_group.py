"""The security group of EFA traffic."""

import pulumi
import pulumi_aws as aws

from infra.component import Component, tags
from infra.surroundings import Surroundings
from muster.fleet.blueprint import Blueprint


class EfaSecurityGroup(Component):
    """A group that allows everything to and from itself, and nothing else.

    EFA traffic is not IP: a rule for 0.0.0.0/0 does not cover it, a rule that names the group does, and it needs one
    in each direction (EKS user guide, "device-management-efa"; gardener-extension-provider-aws#1832).
    """

    def __init__(self, blueprint: Blueprint, around: Surroundings, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("efa", opts)
        group = aws.ec2.SecurityGroup(
            "efa",
            name_prefix=f"{blueprint.name_stem}-efa-",
            description="EFA traffic between nodes: everything to and from itself",
            vpc_id=around.vpc,
            tags=tags(blueprint, "efa"),
            opts=self.below(),
        )
        self.rules: list[pulumi.Resource] = [
            aws.vpc.SecurityGroupIngressRule(
                "efa-from-itself",
                description="EFA traffic from nodes with this group",
                security_group_id=group.id,
                referenced_security_group_id=group.id,
                ip_protocol="-1",
                opts=self.below(),
            ),
            aws.vpc.SecurityGroupEgressRule(
                "efa-to-itself",
                description="EFA traffic to nodes with this group",
                security_group_id=group.id,
                referenced_security_group_id=group.id,
                ip_protocol="-1",
                opts=self.below(),
            ),
        ]
        self.id = group.id
        self.register_outputs({"id": self.id})
