"""The GPU operator with its own device plugin, beside the plugin's chart."""

from tests.policies.programs.kubernetes import gpu_workers, releases
from tests.policies.programs.world import a_world

AT = {"nvidia-device-plugin"}
ON_EKS = {"driver": {"enabled": False}, "toolkit": {"enabled": False}}


def passing() -> None:
    gpu_workers(a_world())
    releases(
        ("nvidia-device-plugin", "0.20.0"), ("gpu-operator", "v26.7.0", {**ON_EKS, "devicePlugin": {"enabled": False}})
    )


def failing() -> None:
    gpu_workers(a_world())
    releases(("nvidia-device-plugin", "0.20.0"), ("gpu-operator", "v26.7.0", ON_EKS))
