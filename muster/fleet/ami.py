"""Which EKS image fits which hardware (EKS `AMITypes`; Amazon Linux 2 images ended 2025-11-26)."""

from muster.fleet.description.image import Family
from muster.fleet.hardware import Accelerator, Hardware
from muster.versions import IMAGE_RELEASES


def ami_type(hardware: Hardware, family: Family = Family.AL2023) -> str:
    """The managed group's `amiType`: the operating system with the driver that the accelerator needs.

    Bottlerocket has a variant for NVIDIA; its ordinary one carries the Neuron driver (since 1.30).
    """
    arm = hardware.architecture == "arm64"
    if family is Family.BOTTLEROCKET:
        nvidia = "_NVIDIA" if hardware.accelerator is Accelerator.GPU else ""
        return f"BOTTLEROCKET_{'ARM_64' if arm else 'x86_64'}{nvidia}"
    if hardware.accelerator is Accelerator.NEURON:
        return "AL2023_x86_64_NEURON"
    if hardware.accelerator is Accelerator.GPU:
        return "AL2023_ARM_64_NVIDIA" if arm else "AL2023_x86_64_NVIDIA"
    return "AL2023_ARM_64_STANDARD" if arm else "AL2023_x86_64_STANDARD"


def image_of(hardware: Hardware, family: Family, kubernetes: str) -> str | None:
    """EKS's image for a self-managed group, as `imageId`: a public SSM parameter of one release, which does not move.

    None where no release is pinned for that Kubernetes version: a rule says so.
    """
    release = IMAGE_RELEASES.get(kubernetes, {}).get(family.value)
    if release is None:
        return None
    arm = hardware.architecture == "arm64"
    if family is Family.BOTTLEROCKET:
        variant = f"aws-k8s-{kubernetes}" + ("-nvidia" if hardware.accelerator is Accelerator.GPU else "")
        return f"resolve:ssm:/aws/service/bottlerocket/{variant}/{'arm64' if arm else 'x86_64'}/{release}/image_id"
    driver = {Accelerator.GPU: "nvidia", Accelerator.NEURON: "neuron"}.get(hardware.accelerator, "standard")
    cpu = "arm64" if arm else "x86_64"
    image = f"amazon-eks-node-al2023-{cpu}-{driver}-{kubernetes}-{release}"
    return f"resolve:ssm:/aws/service/eks/optimized-ami/{kubernetes}/amazon-linux-2023/{cpu}/{driver}/{image}/image_id"
