"""Eight cards' interfaces, copied from p6-b200 to p4d."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(
        world,
        a_template(world, instance_type="p6-b200.48xlarge", network_interfaces=interfaces(world, efa_group(world), 8)),
    )


def failing() -> None:
    world = a_world()
    workers(world, a_template(world, network_interfaces=interfaces(world, efa_group(world), 8)))
