"""The cluster's group at the template's top, beside interfaces."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[world.cluster_group]))


def failing() -> None:
    world = a_world()
    listed = interfaces(world, efa_group(world))
    workers(world, a_template(world, network_interfaces=listed, vpc_security_group_ids=[world.cluster_group]))
