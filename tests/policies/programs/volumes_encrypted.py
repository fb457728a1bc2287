"""A larger disk, of which nothing is said but its size."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))


def failing() -> None:
    world = a_world()
    disks = [{"device_name": "/dev/xvda", "ebs": {"volume_size": 500, "volume_type": "gp3"}}]
    workers(world, a_template(world, block_device_mappings=disks))
