"""Eight cards' interfaces, copied from p6-b200 to p4d."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, told, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    eight = interfaces(world, efa_group(world), 8)
    template = a_template(world, instance_type="p6-b200.48xlarge", network_interfaces=eight, user_data=told(149))
    workers(world, template)


def failing() -> None:
    world = a_world()
    workers(world, a_template(world, network_interfaces=interfaces(world, efa_group(world), 8)))
