"""An Auto Scaling group that names no image."""

from tests.policies.programs.world import a_world, own_workers, plain_template

AT = {"workers"}


def passing() -> None:
    world = a_world()
    own_workers(world, plain_template(world, image_id="ami-0123456789abcdef0"))


def failing() -> None:
    world = a_world()
    own_workers(world, plain_template(world))
