"""The GPU operator as it comes, on EKS's GPU image."""

from tests.policies.programs.kubernetes import gpu_workers, releases
from tests.policies.programs.world import a_world

AT = {"gpu-operator"}


def passing() -> None:
    gpu_workers(a_world())
    releases(("gpu-operator", "v26.7.0", {"driver": {"enabled": False}, "toolkit": {"enabled": False}}))


def failing() -> None:
    gpu_workers(a_world())
    releases(("gpu-operator", "v26.7.0"))
