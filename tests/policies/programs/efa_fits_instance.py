"""EFA on every card, which is one too many on p6-b300: its first card takes none."""

from typing import Any

from tests.policies.programs.world import World, a_template, a_world, efa_group, efa_only, interfaces, told, workers

AT = {"workers"}


def _p6_b300(world: World, cards: range) -> None:
    efa = efa_group(world)
    listed: list[dict[str, Any]] = [interfaces(world, efa)[0], *(efa_only(card, efa) for card in cards)]
    workers(world, a_template(world, instance_type="p6-b300.48xlarge", network_interfaces=listed, user_data=told(100)))


def passing() -> None:
    _p6_b300(a_world(), range(1, 17))


def failing() -> None:
    _p6_b300(a_world(), range(17))
