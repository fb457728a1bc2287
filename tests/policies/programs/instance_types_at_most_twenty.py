"""Every size of three families."""

from tests.policies.programs.world import a_world, workers

AT = {"workers"}

SIZES = ("large", "xlarge", "2xlarge", "4xlarge", "8xlarge", "12xlarge", "16xlarge")


def passing() -> None:
    world = a_world()
    workers(world, None, instance_types=[f"{family}.{size}" for family in ("m5", "m6i") for size in SIZES])


def failing() -> None:
    world = a_world()
    workers(world, None, instance_types=[f"{family}.{size}" for family in ("m5", "m6i", "m7i") for size in SIZES])
