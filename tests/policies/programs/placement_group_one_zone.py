"""A cluster placement group, and subnets of two zones."""

import pulumi_aws as aws

from tests.policies.programs.world import World, a_template, a_world, workers

AT = {"workers"}


def _together(world: World) -> aws.ec2.LaunchTemplate:
    group = aws.ec2.PlacementGroup("together", name="together", strategy="cluster")
    groups = [world.cluster_group]
    placement = {"group_name": group.name}
    return a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=groups, placement=placement)


def passing() -> None:
    world = a_world()
    workers(world, _together(world))


def failing() -> None:
    world = a_world()
    workers(world, _together(world), subnet_ids=[subnet.id for subnet in world.subnets])
