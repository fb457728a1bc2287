"""A number and a percentage of nodes repaired at a time."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    limits = {"enabled": True, "max_parallel_nodes_repaired_count": 1}
    workers(world, a_template(world), node_repair_config=limits)


def failing() -> None:
    world = a_world()
    limits = {"max_parallel_nodes_repaired_count": 1, "max_parallel_nodes_repaired_percentage": 10}
    workers(world, a_template(world), node_repair_config={"enabled": True, **limits})
