"""Which image fits which hardware, and what its name says."""

import re
from dataclasses import replace

import pytest

from muster.hardware.ami import (
    AL2,
    AMI_TYPES,
    Family,
    ami_type,
    ami_type_of_parameter,
    image_of,
    image_parameter,
    newest_parameter,
    plugin_in_image,
    supports_open_driver,
)
from muster.hardware.catalogue import Hardware, hardware, instance_types
from muster.versions import IMAGE_RELEASES

ARM_PLAIN = replace(hardware("c5.2xlarge"), architecture="arm64")
ARM_GPU = replace(hardware("p5.48xlarge"), architecture="arm64")
GPU = frozenset({"nvidia.com/gpu", "vpc.amazonaws.com/efa"})


@pytest.mark.parametrize("family", Family)
def test_the_image_muster_takes_fits(family: Family) -> None:
    """As a managed group's `amiType`, and as a self-managed group's parameter: both name the same image."""
    for machine in map(hardware, instance_types()):
        if machine.architecture.endswith("_mac"):
            continue
        said = ami_type(machine, family)
        assert AMI_TYPES[said].fits(machine), machine.instance
        assert AMI_TYPES[said].system == family
        for kubernetes in IMAGE_RELEASES:
            assert ami_type_of_parameter(image_of(machine, family, kubernetes)) == (said, kubernetes)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/aws/service/eks/optimized-ami/1.31/amazon-linux-2/recommended/image_id", ("AL2_x86_64", "1.31")),
        ("/aws/service/eks/optimized-ami/1.31/amazon-linux-2-gpu/recommended/image_id", ("AL2_x86_64_GPU", "1.31")),
        ("/aws/service/eks/optimized-ami/1.31/amazon-linux-2-arm64/recommended/image_id", ("AL2_ARM_64", "1.31")),
        ("/aws/service/bottlerocket/aws-k8s-1.35-fips/arm64/latest/image_id", ("BOTTLEROCKET_ARM_64_FIPS", "1.35")),
        (
            "/aws/service/bottlerocket/aws-k8s-1.35-nvidia-fips/x86_64/latest/image_id",
            ("BOTTLEROCKET_x86_64_NVIDIA_FIPS", "1.35"),
        ),
        ("/teams/ml/images/latest", None),
    ],
)
def test_public_parameters_say_what_they_name(path: str, said: tuple[str, str] | None) -> None:
    assert ami_type_of_parameter(f"resolve:ssm:{path}") == said
    assert said is None or said[0] in AMI_TYPES


def test_only_bottlerocket_brings_a_plugin_along() -> None:
    """NVIDIA's; EFA's and Neuron's it does not have."""
    assert plugin_in_image("bottlerocket", GPU) == {"nvidia.com/gpu"}
    assert plugin_in_image("bottlerocket", frozenset({"aws.amazon.com/neuron"})) == set()
    assert plugin_in_image("al2023", GPU) == plugin_in_image(None, GPU) == set()


@pytest.mark.parametrize(
    ("machine", "al2023", "bottlerocket"),
    [
        (hardware("p5.48xlarge"), "AL2023_x86_64_NVIDIA", "BOTTLEROCKET_x86_64_NVIDIA"),
        (hardware("g4dn.8xlarge"), "AL2023_x86_64_NVIDIA", "BOTTLEROCKET_x86_64_NVIDIA"),
        (hardware("trn1.32xlarge"), "AL2023_x86_64_NEURON", "BOTTLEROCKET_x86_64"),
        (hardware("c5.2xlarge"), "AL2023_x86_64_STANDARD", "BOTTLEROCKET_x86_64"),
        (ARM_GPU, "AL2023_ARM_64_NVIDIA", "BOTTLEROCKET_ARM_64_NVIDIA"),
        (ARM_PLAIN, "AL2023_ARM_64_STANDARD", "BOTTLEROCKET_ARM_64"),
    ],
    ids=["p5", "g4dn", "trn1", "c5", "arm-gpu", "arm"],
)
def test_the_type_of_image(machine: Hardware, al2023: str, bottlerocket: str) -> None:
    assert ami_type(machine) == ami_type(machine, Family.AL2023) == al2023
    assert ami_type(machine, Family.BOTTLEROCKET) == bottlerocket


NEW = sorted(name for name, kind in AMI_TYPES.items() if kind.system != AL2)


@pytest.mark.parametrize("ami_type", NEW)
def test_the_newest_image_of_a_kind_is_of_that_kind(ami_type: str) -> None:
    """The path says what the `amiType` says, and the version."""
    path = newest_parameter(ami_type, "1.35")
    assert path is not None
    assert ami_type_of_parameter(path) == (ami_type, "1.35")
    assert path.endswith(("/recommended/image_id", "/latest/image_id"))


@pytest.mark.parametrize("ami_type", ["CUSTOM", "AL2_x86_64_GPU", "WINDOWS_CORE_2022_x86_64"])
def test_what_has_no_newest_image(ami_type: str) -> None:
    """Images of one's own, and those that are not made any more."""
    assert newest_parameter(ami_type, "1.35") is None


@pytest.mark.parametrize(
    ("image", "ami_type", "managed", "path"),
    [
        ("resolve:ssm:/teams/ml/image:3", None, False, "/teams/ml/image:3"),
        ("resolve:ssm:/teams/ml/image", None, True, None),
        ("ami-0123456789abcdef0", None, False, None),
        ("ami-0123456789abcdef0", "CUSTOM", True, None),
        (None, "BOTTLEROCKET_x86_64", True, "/aws/service/bottlerocket/aws-k8s-1.35/x86_64/latest/image_id"),
        (None, "AL2023_x86_64_NVIDIA", False, None),
        (None, None, True, None),
    ],
)
def test_the_parameter_of_a_group(image: str | None, ami_type: str | None, managed: bool, path: str | None) -> None:
    """The template's, where EC2 reads it; EKS's newest, where EKS chooses; none for an image by its id."""
    assert image_parameter(image, ami_type, "1.35", managed=managed) == path


def test_releases_are_in_the_form_of_their_parameters() -> None:
    """AL2023's with a v and a date, Bottlerocket's without."""
    for pinned in IMAGE_RELEASES.values():
        assert re.fullmatch(r"v20\d{6}", pinned["al2023"])
        assert re.fullmatch(r"1\.\d+\.\d+", pinned["bottlerocket"])


@pytest.mark.parametrize(
    ("family", "said"), [(Family.AL2023, "AL2023_x86_64_NVIDIA"), (Family.BOTTLEROCKET, "BOTTLEROCKET_x86_64_NVIDIA")]
)
def test_a_version_without_a_pinned_image_has_the_parameter_of_the_newest(family: Family, said: str) -> None:
    parameter = newest_parameter(said, "1.99")
    assert image_of(hardware("p5.48xlarge"), family, "1.99") == f"resolve:ssm:{parameter}"


@pytest.mark.parametrize(
    ("families", "knows"),
    [("g2 g3 g3s p2 p3 p3dn", False), ("g4dn g5 g6 g6e gr6 p4d p5 p6-b200 m5", True)],
)
def test_the_open_driver_knows_gpus_of_turing_and_newer(families: str, *, knows: bool) -> None:
    """What has no GPU is no trouble to it (`NVIDIA_OPENRM_UNSUPPORTED_INSTANCE_TYPES`, aws-parallelcluster)."""
    assert {supports_open_driver(f"{each}.xlarge") for each in families.split()} == {knows}
