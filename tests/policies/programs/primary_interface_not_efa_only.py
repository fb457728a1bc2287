"""The first interface of four, made efa-only like the rest."""

from tests.policies.programs.world import a_template, a_world, efa_group, efa_only, workers

AT = {"workers"}


def passing() -> None:
    """The classic layout: EFA on the primary interface."""
    world = a_world()
    efa = efa_group(world)
    groups = [world.cluster_group, efa.id]
    rest = [efa_only(card, efa, device_index=1) for card in range(1, 4)]
    first = {"device_index": 0, "interface_type": "efa", "security_groups": groups}
    workers(world, a_template(world, network_interfaces=[first, *rest]))


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    groups = [world.cluster_group, efa.id]
    rest = [efa_only(card, efa, device_index=1) for card in range(1, 4)]
    first = {"device_index": 0, "interface_type": "efa-only", "security_groups": groups}
    workers(world, a_template(world, network_interfaces=[first, *rest]))
