"""GPUs on an image without their driver."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2023_x86_64_NVIDIA")


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2023_x86_64_STANDARD")
