"""Which image fits which hardware: EKS's AMI types, EC2's platforms, NVIDIA's open driver."""

import re
from enum import StrEnum
from typing import NamedTuple

from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.other_types import without_open_driver
from muster.versions import IMAGE_RELEASES


class Family(StrEnum):
    """The operating system of an image. It decides how a node gets the settings of its cluster."""

    AL2023 = "al2023"
    BOTTLEROCKET = "bottlerocket"


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


def image_of(hardware: Hardware, family: Family, kubernetes: str, *, newest: bool = False) -> str:
    """EKS's image for a self-managed group, as `imageId`: a public SSM parameter of one release, which does not move.
    For a Kubernetes version without a pinned release, and on request, it is the parameter of the newest one.
    """
    release = None if newest else IMAGE_RELEASES.get(kubernetes, {}).get(family.value)
    return f"{RESOLVED_BY_EC2}{_parameter(ami_type(hardware, family), kubernetes, release)}"


AL2 = "al2"
"""Amazon Linux 2: no family that a description can name any more."""
AL2_LAST_KUBERNETES = (1, 32)
"""EKS user guide, "Kubernetes versions"; eksctl `AmazonLinux2EOLVersion`."""

RESOLVED_BY_EC2 = "resolve:ssm:"
"""What `imageId` begins with where EC2 looks the image up, in an SSM parameter, at each launch."""


class ImageKind(NamedTuple):
    """What an image of EKS's is."""

    system: str
    """`AL2`, or a `Family`'s value."""
    architecture: str
    """``x86_64`` or ``arm64``."""
    drivers: frozenset[Accelerator] = frozenset()
    """Of which accelerators it carries the driver."""

    def fits(self, hardware: Hardware) -> bool:
        """Whether a type can boot it and use its accelerators. A driver without its device does no harm."""
        driven = hardware.accelerator is Accelerator.NONE or hardware.accelerator in self.drivers
        return driven and self.architecture == hardware.architecture


_X86, _ARM = "x86_64", "arm64"
_AL2023, _BOTTLEROCKET = Family.AL2023.value, Family.BOTTLEROCKET.value
_GPU, _NEURON = frozenset({Accelerator.GPU}), frozenset({Accelerator.NEURON})

AMI_TYPES = {
    "AL2_x86_64": ImageKind(AL2, _X86),
    "AL2_x86_64_GPU": ImageKind(AL2, _X86, _GPU | _NEURON),
    "AL2_ARM_64": ImageKind(AL2, _ARM),
    "AL2023_x86_64_STANDARD": ImageKind(_AL2023, _X86),
    "AL2023_ARM_64_STANDARD": ImageKind(_AL2023, _ARM),
    "AL2023_x86_64_NVIDIA": ImageKind(_AL2023, _X86, _GPU),
    "AL2023_ARM_64_NVIDIA": ImageKind(_AL2023, _ARM, _GPU),
    "AL2023_x86_64_NEURON": ImageKind(_AL2023, _X86, _NEURON),
    "BOTTLEROCKET_x86_64": ImageKind(_BOTTLEROCKET, _X86, _NEURON),
    "BOTTLEROCKET_x86_64_FIPS": ImageKind(_BOTTLEROCKET, _X86, _NEURON),
    "BOTTLEROCKET_x86_64_NVIDIA": ImageKind(_BOTTLEROCKET, _X86, _GPU),
    "BOTTLEROCKET_x86_64_NVIDIA_FIPS": ImageKind(_BOTTLEROCKET, _X86, _GPU),
    "BOTTLEROCKET_ARM_64": ImageKind(_BOTTLEROCKET, _ARM),
    "BOTTLEROCKET_ARM_64_FIPS": ImageKind(_BOTTLEROCKET, _ARM),
    "BOTTLEROCKET_ARM_64_NVIDIA": ImageKind(_BOTTLEROCKET, _ARM, _GPU),
    "BOTTLEROCKET_ARM_64_NVIDIA_FIPS": ImageKind(_BOTTLEROCKET, _ARM, _GPU),
}
"""EKS's `AMITypes` for Linux (botocore 1.44.5). pulumi-eks's enum lacks two of them: they are plain words here."""

_PARAMETERS = (
    (re.compile(r"/aws/service/eks/optimized-ami/(?P<version>[\d.]+)/amazon-linux-2/"), "AL2_x86_64"),
    (re.compile(r"/aws/service/eks/optimized-ami/(?P<version>[\d.]+)/amazon-linux-2-gpu/"), "AL2_x86_64_GPU"),
    (re.compile(r"/aws/service/eks/optimized-ami/(?P<version>[\d.]+)/amazon-linux-2-arm64/"), "AL2_ARM_64"),
    (
        re.compile(
            r"/aws/service/eks/optimized-ami/(?P<version>[\d.]+)/amazon-linux-2023/(?P<cpu>x86_64|arm64)/"
            r"(?P<driver>standard|nvidia|neuron)/"
        ),
        "AL2023_{cpu}_{driver}",
    ),
    (
        re.compile(
            r"/aws/service/bottlerocket/aws-k8s-(?P<version>[\d.]+)(?P<driver>(-nvidia)?(-fips)?)/(?P<cpu>x86_64|arm64)/"
        ),
        "BOTTLEROCKET_{cpu}{driver}",
    ),
)
"""EKS's and Bottlerocket's public parameters -> the `amiType` that a managed group would have for the same image."""


def ami_type_of_parameter(image: str) -> tuple[str, str] | None:
    """The `amiType` and the Kubernetes version of an image that is named by EKS's own parameter; None for others."""
    for form, name in _PARAMETERS:
        found = form.search(image)
        if found:
            cpu = "ARM_64" if found.groupdict().get("cpu") == _ARM else _X86
            driver = found.groupdict().get("driver", "").replace("-", "_").upper()
            return name.format(cpu=cpu, driver=driver), found["version"]
    return None


def newest_parameter(ami_type: str, kubernetes: str) -> str | None:
    """The SSM parameter with the newest image of a managed group's `amiType` (EKS user guide, retrieve-ami-id and
    retrieve-ami-id-bottlerocket). None for custom AMIs, and for Amazon Linux 2, which has no new ones."""
    kind = AMI_TYPES.get(ami_type)
    return None if kind is None or kind.system == AL2 else _parameter(ami_type, kubernetes)


def _parameter(ami_type: str, kubernetes: str, release: str | None = None) -> str:
    """The parameter of a release; None for the newest."""
    kind = AMI_TYPES[ami_type]
    cpu = kind.architecture
    driver = ami_type.partition("ARM_64" if cpu == _ARM else cpu)[2].lower()
    if kind.system == _BOTTLEROCKET:
        variant = f"aws-k8s-{kubernetes}{driver.replace('_', '-')}"
        return f"/aws/service/bottlerocket/{variant}/{cpu}/{release or 'latest'}/image_id"
    driver = driver.removeprefix("_")
    image = f"amazon-eks-node-al2023-{cpu}-{driver}-{kubernetes}-{release}" if release else "recommended"
    return f"/aws/service/eks/optimized-ami/{kubernetes}/amazon-linux-2023/{cpu}/{driver}/{image}/image_id"


def image_parameter(image: str | None, ami_type: str | None, kubernetes: str | None, *, managed: bool) -> str | None:
    """The SSM parameter that tells whether there is an image for a group: the one that its template names, or, where
    EKS chooses the image, the one of EKS's newest for that version.

    None where no parameter does: an image named by its id, or one that a managed group's template names by parameter,
    which EKS does not resolve.
    """
    if image is not None:
        return image.removeprefix(RESOLVED_BY_EC2) if image.startswith(RESOLVED_BY_EC2) and not managed else None
    return newest_parameter(ami_type, kubernetes) if managed and ami_type and kubernetes else None


def plugin_in_image(family: str | None, resources: frozenset[str], *, of_auto_mode: bool = False) -> frozenset[str]:
    """The devices that an image's own plugin offers: Bottlerocket's NVIDIA variant has NVIDIA's built in (EKS user
    guide), and the images of EKS Auto Mode also have the one of EFA (eks-charts#1359)."""
    built_in = {"nvidia.com/gpu", *(["vpc.amazonaws.com/efa"] if of_auto_mode else [])}
    return resources & built_in if family == Family.BOTTLEROCKET else frozenset()


LINUX, RED_HAT = "Linux/UNIX", "Red Hat Enterprise Linux"

_PLATFORMS = {"rhel8": RED_HAT, "rhel9": RED_HAT}
"""Operating system of ParallelCluster -> its platform; every other is Linux/UNIX to EC2 (`CAPACITY_RESERVATION_OS_MAP`,
ParallelCluster's constants.py 3.16.1)."""


def platform_of(os: str) -> str:
    """The platform of an operating system, by ParallelCluster's name of it: ``rhel9``."""
    return _PLATFORMS.get(os, LINUX)


def supports_open_driver(instance: str) -> bool:
    """Whether the GPUs of a type, if it has any, are of Turing or newer."""
    return instance.partition(".")[0] not in without_open_driver()
