"""Prefixes asked of an efa-only interface."""

from tests.policies.programs.world import a_template, a_world, efa_group, efa_only, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    first, *rest = interfaces(world, efa_group(world), ipv4_prefix_count=4)
    workers(world, a_template(world, network_interfaces=[first, *rest]))


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    first, second, *rest = interfaces(world, efa)
    asking = efa_only(0, efa, ipv4_prefix_count=4)
    assert asking["device_index"] == second["device_index"]
    workers(world, a_template(world, network_interfaces=[first, asking, *rest]))
