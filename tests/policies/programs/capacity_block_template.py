"""The template targets a Capacity Block as if it were a reservation."""

from tests.policies.programs.world import a_world, block_facts, block_template, block_workers

AT = {"workers"}
FACTS = block_facts()


def passing() -> None:
    world = a_world()
    block_workers(world, block_template(world))


def failing() -> None:
    world = a_world()
    block_workers(world, block_template(world, instance_market_options=None))
