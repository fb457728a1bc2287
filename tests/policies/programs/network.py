"""Programs about the network."""

import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    a_template,
    a_world,
    interfaces,
    workers,
)

EVERYWHERE = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
ITSELF = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}


@keeps("efa-security-groups-allow-themselves")
def keeps_efa_security_groups_allow_themselves() -> None:
    world = a_world()
    efa = aws.ec2.SecurityGroup("efa", vpc_id=world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE, ITSELF])
    workers(world, a_template(world, network_interfaces=interfaces(world, efa)))


@breaks(
    "efa-security-groups-allow-themselves",
    "Egress to 0.0.0.0/0, and no egress to the group itself: a common mistake.",
    at={"efa"},
)
def breaks_efa_security_groups_allow_themselves() -> None:
    world = a_world()
    efa = aws.ec2.SecurityGroup("efa", vpc_id=world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE])
    workers(world, a_template(world, network_interfaces=interfaces(world, efa)))
