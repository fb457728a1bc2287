"""A type of accelerated instance that nobody has heard of."""

from tests.policies.programs.world import a_world, plain_template, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="g5.8xlarge"), ami_type="AL2023_x86_64_NVIDIA")


def failing() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="p5.84xlarge"), ami_type="AL2023_x86_64_NVIDIA")
