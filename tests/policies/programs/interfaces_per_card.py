"""One interface more on card 0 of p5.48xlarge, which takes two."""

from typing import Any

from tests.policies.programs.world import World, a_template, a_world, efa_group, interfaces, told, workers

AT = {"workers"}


def _p5(world: World, listed: list[dict[str, Any]]) -> None:
    template = a_template(world, instance_type="p5.48xlarge", network_interfaces=listed, user_data=told(51))
    workers(world, template)


def passing() -> None:
    world = a_world()
    _p5(world, interfaces(world, efa_group(world), 32))


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    third = {"device_index": 2, "security_groups": [efa.id]}
    _p5(world, [*interfaces(world, efa, 32), third])
