"""Programs about node groups."""

import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    World,
    a_template,
    a_world,
    workers,
)


def _own_group(world: World) -> aws.ec2.SecurityGroup:
    return aws.ec2.SecurityGroup(
        "nodes",
        vpc_id=world.vpc.id,
        egress=[{"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}],
    )


@keeps("node-template-reaches-control-plane")
def keeps_node_template_reaches_control_plane() -> None:
    """Rules between the two groups, as terraform-aws-eks writes them, do as well as the cluster's own group."""
    world = a_world()
    own = _own_group(world)
    aws.ec2.SecurityGroupRule(
        "nodes-to-api",
        type="ingress",
        security_group_id=world.cluster_group,
        source_security_group_id=own.id,
        protocol="tcp",
        from_port=443,
        to_port=443,
    )
    workers(world, a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[own.id]))


@breaks(
    "node-template-reaches-control-plane",
    "A custom security group without the cluster's: nodes never join.",
    at={"workers"},
)
def breaks_node_template_reaches_control_plane() -> None:
    world = a_world()
    own = _own_group(world)
    workers(world, a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[own.id]))
