"""Two EFA interfaces on card 1."""

from tests.policies.programs.world import a_template, a_world, efa_group, efa_only, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    template = a_template(world, network_interfaces=[*interfaces(world, efa), efa_only(1, efa, device_index=1)])
    workers(world, template)
