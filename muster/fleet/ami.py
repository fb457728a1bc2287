"""Which EKS image fits which hardware (EKS `AMITypes`; Amazon Linux 2 images ended 2025-11-26)."""

from muster.fleet.hardware import Accelerator, Hardware


def ami_type(hardware: Hardware) -> str:
    """The managed group's `amiType`: AL2023 with the driver the accelerator needs."""
    if hardware.accelerator is Accelerator.NEURON:
        return "AL2023_x86_64_NEURON"
    arm = hardware.architecture == "arm64"
    if hardware.accelerator is Accelerator.GPU:
        return "AL2023_ARM_64_NVIDIA" if arm else "AL2023_x86_64_NVIDIA"
    return "AL2023_ARM_64_STANDARD" if arm else "AL2023_x86_64_STANDARD"
