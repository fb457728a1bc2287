"""What every program here needs and none is about: a network, a cluster, a role.

Written as people write it: nothing of Muster's, no components, security group rules in whatever form.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws

ZONES = ("us-west-2a", "us-west-2b")
CR = "cr-0123456789abcdef0"


@dataclass
class World:
    """A cluster that nothing is wrong with yet."""

    vpc: aws.ec2.Vpc
    subnets: list[aws.ec2.Subnet]
    cluster: aws.eks.Cluster
    node_role: aws.iam.Role

    @property
    def cluster_group(self) -> pulumi.Output[str]:
        """The security group that EKS makes."""
        return self.cluster.vpc_config.cluster_security_group_id


def a_role(name: str, service: str) -> aws.iam.Role:
    """A role that a service assumes."""
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": service}}
    return aws.iam.Role(name, assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))


def subnets_of(vpc: aws.ec2.Vpc, zones: Sequence[str] = ZONES, **more: Any) -> list[aws.ec2.Subnet]:
    """One subnet a zone."""
    return [
        aws.ec2.Subnet(
            f"private-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{index}.0/24", availability_zone=zone, **more
        )
        for index, zone in enumerate(zones)
    ]


def a_world(*, version: str | None = "1.35", cni: str | None = "v1.23.1-eksbuild.1", **network: Any) -> World:
    """A network in two zones and a cluster in it."""
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
    subnets = subnets_of(vpc, **network)
    cluster = aws.eks.Cluster(
        "training",
        role_arn=a_role("eks", "eks.amazonaws.com").arn,
        version=version,
        vpc_config={"subnet_ids": [subnet.id for subnet in subnets]},
    )
    if cni:
        aws.eks.Addon("vpc-cni", cluster_name=cluster.name, addon_name="vpc-cni", addon_version=cni)
    return World(vpc, subnets, cluster, a_role("nodes", "ec2.amazonaws.com"))


def efa_group(world: World, name: str = "efa") -> aws.ec2.SecurityGroup:
    """A security group that allows itself in and out."""
    group = aws.ec2.SecurityGroup(name, vpc_id=world.vpc.id)
    aws.vpc.SecurityGroupIngressRule(
        name, security_group_id=group.id, referenced_security_group_id=group.id, ip_protocol="-1"
    )
    aws.vpc.SecurityGroupEgressRule(
        name, security_group_id=group.id, referenced_security_group_id=group.id, ip_protocol="-1"
    )
    return group


def interfaces(world: World, group: aws.ec2.SecurityGroup, cards: int = 4, **primary: Any) -> list[dict[str, Any]]:
    """AWS's layout: a plain primary interface, efa-only on every card."""
    first = {"device_index": 0, "security_groups": [world.cluster_group, group.id], **primary}
    return [first, *(efa_only(card, group) for card in range(cards))]


def efa_only(card: int, group: aws.ec2.SecurityGroup, **more: Any) -> dict[str, Any]:
    """An efa-only interface: device 1 on card 0, device 0 elsewhere."""
    device = 1 if card == 0 else 0
    return {
        "network_card_index": card,
        "device_index": device,
        "interface_type": "efa-only",
        "security_groups": [group.id],
        **more,
    }


def a_template(world: World, **settings: Any) -> aws.ec2.LaunchTemplate:
    """A launch template for p4d.24xlarge; without interfaces of its own it gets AWS's layout."""
    if "network_interfaces" not in settings and "vpc_security_group_ids" not in settings:
        settings["network_interfaces"] = interfaces(world, efa_group(world))
    return aws.ec2.LaunchTemplate("workers", **{"instance_type": "p4d.24xlarge", **settings})


def workers(world: World, template: aws.ec2.LaunchTemplate | None, **settings: Any) -> aws.eks.NodeGroup:
    """A managed node group in the first zone."""
    if template is not None:
        settings["launch_template"] = {"id": template.id, "version": template.latest_version.apply(str)}
    defaults: dict[str, Any] = {
        "subnet_ids": [world.subnets[0].id],
        "scaling_config": {"min_size": 0, "desired_size": 1, "max_size": 2},
    }
    return aws.eks.NodeGroup(
        "workers", cluster_name=world.cluster.name, node_role_arn=world.node_role.arn, **{**defaults, **settings}
    )
