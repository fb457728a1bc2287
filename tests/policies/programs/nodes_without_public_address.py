"""A node with a public address."""

from typing import Any

from tests.policies.programs.world import World, a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def one_interface(world: World, **primary: Any) -> None:
    nics = interfaces(world, efa_group(world), cards=0, **primary)
    template = a_template(world, instance_type="m5.8xlarge", network_interfaces=nics)
    workers(world, template, ami_type="AL2023_x86_64_STANDARD")


def passing() -> None:
    one_interface(a_world())


def failing() -> None:
    one_interface(a_world(), associate_public_ip_address="true")
