"""A second plain interface where the first one is."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    efa = efa_group(world)
    second = {"network_card_index": 1, "device_index": 1, "security_groups": [efa.id]}
    workers(world, a_template(world, network_interfaces=[*interfaces(world, efa), second]))


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    second = {"network_card_index": 1, "device_index": 0, "security_groups": [efa.id]}
    workers(world, a_template(world, network_interfaces=[*interfaces(world, efa), second]))
