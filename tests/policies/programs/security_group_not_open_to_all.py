"""A rule that lets everybody try SSH."""

import pulumi_aws as aws

from tests.policies.programs.world import OFFICE, a_template, a_world, workers

AT = {"bastion"}


def ssh_from(network: str) -> None:
    world = a_world()
    workers(world, a_template(world))
    group = aws.ec2.SecurityGroup("bastion", vpc_id=world.vpc.id)
    aws.vpc.SecurityGroupIngressRule(
        "ssh", security_group_id=group.id, cidr_ipv4=network, ip_protocol="tcp", from_port=22, to_port=22
    )


def passing() -> None:
    ssh_from(OFFICE[0])


def failing() -> None:
    ssh_from("0.0.0.0/0")
