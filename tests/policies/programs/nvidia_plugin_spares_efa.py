"""A release of the NVIDIA plugin that mounts EFA's devices."""

from tests.policies.programs.kubernetes import gpu_workers, releases
from tests.policies.programs.world import a_world

AT = {"nvidia-device-plugin"}


def passing() -> None:
    gpu_workers(a_world())
    releases(("nvidia-device-plugin", "0.19.2", {"mofedEnabled": False}))


def failing() -> None:
    gpu_workers(a_world())
    releases(("nvidia-device-plugin", "0.19.2"))
