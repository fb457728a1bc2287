"""Another word for efa-only."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    more = {"network_card_index": 1, "device_index": 1, "interface_type": "efa_only", "security_groups": [efa.id]}
    workers(world, a_template(world, network_interfaces=[*interfaces(world, efa), more]))
