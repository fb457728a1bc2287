"""Everything out to 0.0.0.0/0 in place of everything out to itself."""

import pulumi_aws as aws

from tests.policies.programs.hyperpod import a_group, cluster, ground, own_network

AT = {"bare"}

EVERYWHERE = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
ITSELF = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}


def passing() -> None:
    on = ground()
    both = aws.ec2.SecurityGroup("both", vpc_id=on.world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE, ITSELF])
    cluster(on, [a_group(on, **own_network(on, both))])


def failing() -> None:
    on = ground()
    bare = aws.ec2.SecurityGroup("bare", vpc_id=on.world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE])
    cluster(on, [a_group(on, **own_network(on, bare))])
