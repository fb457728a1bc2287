"""g5.8xlarge in a zone where nobody saw it."""

from tests.policies.programs.world import a_world, plain_template, workers

AT = {"workers"}


def passing() -> None:
    world = a_world(availability_zone_id="usw2-az1")
    workers(world, plain_template(world, instance_type="g5.8xlarge"))


def failing() -> None:
    world = a_world(availability_zone_id="usw2-az4")
    workers(world, plain_template(world, instance_type="g5.8xlarge"))
