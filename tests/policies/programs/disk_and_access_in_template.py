"""diskSize beside a launch template."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    disk = {"device_name": "/dev/xvda", "ebs": {"volume_size": 300, "volume_type": "gp3", "encrypted": "true"}}
    workers(world, a_template(world, block_device_mappings=[disk]))


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), disk_size=300)
