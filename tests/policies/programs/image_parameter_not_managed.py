"""A parameter as the image of a managed group."""

from tests.policies.programs.world import a_world, plain_template, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="ami-0123456789abcdef0"))


def failing() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="resolve:ssm:/teams/ml/image"))
