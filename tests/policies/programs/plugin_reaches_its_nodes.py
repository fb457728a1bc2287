"""The EFA plugin as it comes, on nodes with the usual taint of GPUs."""

from tests.policies.programs.kubernetes import releases
from tests.policies.programs.world import a_template, a_world, workers

AT = {"aws-efa-k8s-device-plugin"}
TAINT = {"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2023_x86_64_NVIDIA", taints=[TAINT])
    toleration = {"key": "nvidia.com/gpu", "operator": "Exists"}
    releases(("aws-efa-k8s-device-plugin", "v0.5.30", {"tolerations": [toleration]}))


def failing() -> None:
    world = a_world()
    workers(world, a_template(world), ami_type="AL2023_x86_64_NVIDIA", taints=[TAINT])
    releases(("aws-efa-k8s-device-plugin", "v0.5.30"))
