"""A node from the start, on a block that has not begun."""

from tests.policies.programs.world import a_world, block_facts, block_template, block_workers

AT = {"workers"}
FACTS = block_facts(state="scheduled", start="2026-12-01T11:30:00Z", end="2026-12-15T11:30:00Z")


def _workers(start: int) -> None:
    world = a_world()
    scaling = {"min_size": 0, "desired_size": start, "max_size": 2}
    block_workers(world, block_template(world), scaling_config=scaling)


def passing() -> None:
    _workers(0)


def failing() -> None:
    _workers(1)
