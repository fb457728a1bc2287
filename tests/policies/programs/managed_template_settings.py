"""An instance profile, which EKS makes itself."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world, ebs_optimized="true"))


def failing() -> None:
    world = a_world()
    workers(world, a_template(world, iam_instance_profile={"name": "nodes"}))
