"""A Capacity Block of G5, which AWS does not sell."""

import pulumi_aws as aws

from tests.policies.programs.world import World, a_world, block_facts, block_template, block_workers

AT = {"workers"}
FACTS = block_facts()
FAILING_FACTS = block_facts(instanceType="g5.48xlarge")


def passing() -> None:
    world = a_world()
    block_workers(world, block_template(world))


def _without_efa(world: World) -> aws.ec2.LaunchTemplate:
    return block_template(world, instance_type="g5.48xlarge", vpc_security_group_ids=[world.cluster_group])


def failing() -> None:
    world = a_world()
    block_workers(world, _without_efa(world), ami_type="AL2023_x86_64_NVIDIA")
