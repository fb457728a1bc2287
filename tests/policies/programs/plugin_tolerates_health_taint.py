"""The NVIDIA plugin's chart on HyperPod's nodes."""

from tests.policies.programs.kubernetes import HYPERPOD, releases

AT = {"nvidia-device-plugin"}
HYPERPODS = ("HyperPodHelmChart", "0.1.0", HYPERPOD)
GPU = {"key": "nvidia.com/gpu", "operator": "Exists"}
HEALTH = {"key": "sagemaker.amazonaws.com/node-health-status", "operator": "Exists"}


def passing() -> None:
    releases(HYPERPODS, ("nvidia-device-plugin", "0.20.0", {"tolerations": [GPU, HEALTH]}))


def failing() -> None:
    releases(HYPERPODS, ("nvidia-device-plugin", "0.20.0"))
