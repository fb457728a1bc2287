"""An image of its own, and amiType beside it."""

from tests.policies.programs.world import a_world, plain_template, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="ami-0123456789abcdef0"), ami_type="CUSTOM")


def failing() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="ami-0123456789abcdef0"), ami_type="AL2023_x86_64_NVIDIA")
