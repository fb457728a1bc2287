"""The EFA plugin as it comes, on nodes that could have EFA and have none."""

from tests.policies.programs.kubernetes import releases
from tests.policies.programs.world import a_world, plain_template, workers

AT = {"aws-efa-k8s-device-plugin"}


def passing() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="m5.8xlarge"))
    releases(("aws-efa-k8s-device-plugin", "v0.5.30"))


def failing() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="g4dn.8xlarge"))
    releases(("aws-efa-k8s-device-plugin", "v0.5.30"))
