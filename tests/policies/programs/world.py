"""What every program on EKS needs and none is about: a network, a cluster, a role; nothing is wrong with them yet."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws

from muster.fleet.facts import Facts
from tests.factories import facts

CR = "cr-0123456789abcdef0"
HARDENED: dict[str, Any] = {
    "metadata_options": {"http_tokens": "required", "http_put_response_hop_limit": 1},
    "block_device_mappings": [{"device_name": "/dev/xvda", "ebs": {"encrypted": "true"}}],
}
"""What a launch template says of credentials and disks."""
EVERYWHERE: dict[str, Any] = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
ITSELF: dict[str, Any] = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}


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


def subnets_of(vpc: aws.ec2.Vpc, **more: Any) -> list[aws.ec2.Subnet]:
    """One in each of two zones."""
    return [
        aws.ec2.Subnet(f"private-{zone}", vpc_id=vpc.id, cidr_block=block, availability_zone=zone, **more)
        for zone, block in (("us-west-2a", "10.0.0.0/20"), ("us-west-2b", "10.0.16.0/20"))
    ]


def a_world(*, api: Sequence[str] | None = ("203.0.113.0/24",), mode: str | None = None, **network: Any) -> World:
    """A network in two zones and a cluster in it, of an authentication mode where one is said."""
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
    subnets = subnets_of(vpc, **network)
    key = "arn:aws:kms:us-west-2:000000000000:key/0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"
    cluster = aws.eks.Cluster(
        "training",
        role_arn=a_role("eks", "eks.amazonaws.com").arn,
        version="1.35",
        vpc_config={"subnet_ids": [subnet.id for subnet in subnets], "public_access_cidrs": list(api) if api else None},
        encryption_config={"provider": {"key_arn": key}, "resources": ["secrets"]},
        access_config={"authentication_mode": mode} if mode else None,
    )
    aws.eks.Addon("vpc-cni", cluster_name=cluster.name, addon_name="vpc-cni", addon_version="v1.23.1-eksbuild.1")
    return World(vpc, subnets, cluster, a_role("nodes", "ec2.amazonaws.com"))


def efa_group(world: World, name: str = "efa") -> aws.ec2.SecurityGroup:
    """A security group that allows itself in and out, by rules beside it."""
    group = aws.ec2.SecurityGroup(name, vpc_id=world.vpc.id)
    own: dict[str, Any] = {
        "security_group_id": group.id,
        "referenced_security_group_id": group.id,
        "ip_protocol": "-1",
    }
    aws.vpc.SecurityGroupIngressRule(name, **own)
    aws.vpc.SecurityGroupEgressRule(name, **own)
    return group


def interfaces(world: World, group: aws.ec2.SecurityGroup) -> list[dict[str, Any]]:
    """AWS's layout of a p4d.24xlarge: a plain primary interface, efa-only on each of the four cards."""
    efa = {"interface_type": "efa-only", "security_groups": [group.id]}
    return [
        {"device_index": 0, "security_groups": [world.cluster_group, group.id]},
        *({"network_card_index": card, "device_index": 0 if card else 1, **efa} for card in range(4)),
    ]


def a_template(world: World, **settings: Any) -> aws.ec2.LaunchTemplate:
    """A launch template for p4d.24xlarge; without interfaces of its own it gets AWS's layout."""
    if "network_interfaces" not in settings and "vpc_security_group_ids" not in settings:
        settings["network_interfaces"] = interfaces(world, efa_group(world))
    return aws.ec2.LaunchTemplate("workers", **{"instance_type": "p4d.24xlarge", **HARDENED, **settings})


def workers(world: World, template: aws.ec2.LaunchTemplate, **settings: Any) -> aws.eks.NodeGroup:
    """A managed node group in the first zone."""
    defaults: dict[str, Any] = {
        "subnet_ids": [world.subnets[0].id],
        "scaling_config": {"min_size": 0, "desired_size": 1, "max_size": 2},
        "launch_template": {"id": template.id, "version": template.latest_version.apply(str)},
    }
    return aws.eks.NodeGroup(
        "workers", cluster_name=world.cluster.name, node_role_arn=world.node_role.arn, **{**defaults, **settings}
    )


def reserved(**more: Any) -> Facts:
    """What AWS says of `CR`: two p4d.24xlarge in the first zone."""
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default"}
    known = {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2, **usable, **more}
    return facts(reservations={CR: known})


BLOCK = reserved(reservationType="capacity-block", start="2026-11-14T11:30:00Z", end="2026-11-28T11:30:00Z")
"""The same of a Capacity Block that runs."""
ON_BLOCK: dict[str, Any] = {
    "instance_market_options": {"market_type": "capacity-block"},
    "capacity_reservation_specification": {"capacity_reservation_target": {"capacity_reservation_id": CR}},
}
"""What a launch template says of it."""
