"""Everything out to 0.0.0.0/0, and nothing out to the group itself: what everybody writes first."""

import pulumi_aws as aws

from tests.policies.programs.world import a_template, a_world, interfaces, workers

AT = {"efa"}

EVERYWHERE = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
ITSELF = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}


def passing() -> None:
    world = a_world()
    efa = aws.ec2.SecurityGroup("efa", vpc_id=world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE, ITSELF])
    workers(world, a_template(world, network_interfaces=interfaces(world, efa)))


def failing() -> None:
    world = a_world()
    efa = aws.ec2.SecurityGroup("efa", vpc_id=world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE])
    workers(world, a_template(world, network_interfaces=interfaces(world, efa)))
