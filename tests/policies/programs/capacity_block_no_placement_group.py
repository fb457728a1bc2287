"""A Capacity Block in a placement group, as several tools make it."""

import pulumi_aws as aws

from tests.policies.programs.world import a_world, block_facts, block_template, block_workers

AT = {"workers"}
FACTS = block_facts()


def passing() -> None:
    world = a_world()
    block_workers(world, block_template(world))


def failing() -> None:
    world = a_world()
    together = aws.ec2.PlacementGroup("together", name="together", strategy="cluster")
    block_workers(world, block_template(world, placement={"group_name": together.name}))
