"""More nodes than any block holds."""

from tests.policies.programs.world import a_world, block_template, block_workers

AT = {"workers"}
SUBNETS = ["subnet-0123456789abcdef0"]


def _workers(most: int) -> None:
    world = a_world()
    scaling = {"min_size": 0, "desired_size": 1, "max_size": most}
    block_workers(world, block_template(world), scaling_config=scaling, subnet_ids=SUBNETS)


def passing() -> None:
    _workers(64)


def failing() -> None:
    _workers(65)
