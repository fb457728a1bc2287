"""EFA-only on card 0 of p5.48xlarge, and nobody tells the kubelet."""

from typing import Any

from tests.policies.programs.world import World, a_template, a_world, efa_group, interfaces, told, workers

AT = {"workers"}


def _p5(world: World, **template: Any) -> None:
    every = interfaces(world, efa_group(world), cards=32)
    workers(world, a_template(world, instance_type="p5.48xlarge", network_interfaces=every, **template))


def passing() -> None:
    _p5(a_world(), user_data=told(51))


def failing() -> None:
    _p5(a_world())
