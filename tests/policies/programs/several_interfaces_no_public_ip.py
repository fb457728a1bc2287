"""A public address for a node with five interfaces."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    listed = interfaces(world, efa_group(world), associate_public_ip_address="false")
    workers(world, a_template(world, network_interfaces=listed))


def failing() -> None:
    world = a_world()
    listed = interfaces(world, efa_group(world), associate_public_ip_address="true")
    workers(world, a_template(world, network_interfaces=listed))
