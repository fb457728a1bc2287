"""One interface more on card 0 of p5.48xlarge, which takes two."""

from tests.policies.programs.world import a_template, a_world, efa_group, interfaces, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    template = a_template(
        world, instance_type="p5.48xlarge", network_interfaces=interfaces(world, efa_group(world), 32)
    )
    workers(world, template)


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    third = {"device_index": 2, "security_groups": [efa.id]}
    template = a_template(world, instance_type="p5.48xlarge", network_interfaces=[*interfaces(world, efa, 32), third])
    workers(world, template)
