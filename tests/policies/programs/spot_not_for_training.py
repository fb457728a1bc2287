"""EFA, on instances that are taken back at any time."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    """Without EFA a node that goes takes no others along."""
    world = a_world()
    plain = a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[world.cluster_group])
    workers(world, plain, capacity_type="SPOT")


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), capacity_type="SPOT")
