"""Amazon Linux 2 on Kubernetes 1.35."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2023_x86_64_NVIDIA")


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2_x86_64_GPU")
