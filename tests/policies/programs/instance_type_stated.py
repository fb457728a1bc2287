"""No type anywhere: EKS takes t3.medium."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, None, instance_types=["m5.8xlarge"])


def failing() -> None:
    world = a_world()
    workers(world, a_template(world, instance_type=None, network_interfaces=None))
