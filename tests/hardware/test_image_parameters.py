"""Which SSM parameters tell of images."""

import pytest

from muster.hardware.ami import AL2, AMI_TYPES, ami_type_of_parameter, image_parameter, newest_parameter

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
        ("resolve:ssm:/teams/ml/image", None, False, "/teams/ml/image"),
        ("resolve:ssm:/teams/ml/image:3", None, False, "/teams/ml/image:3"),
        ("resolve:ssm:/teams/ml/image", None, True, None),
        ("ami-0123456789abcdef0", None, False, None),
        ("ami-0123456789abcdef0", "CUSTOM", True, None),
        (None, "BOTTLEROCKET_x86_64", True, "/aws/service/bottlerocket/aws-k8s-1.35/x86_64/latest/image_id"),
        (None, "AL2023_x86_64_NVIDIA", False, None),
        (None, None, True, None),
    ],
)
def test_the_parameter_of_a_group(image, ami_type, managed, path) -> None:
    """The template's, where EC2 reads it; EKS's newest, where EKS chooses; none for an image by its id."""
    assert image_parameter(image, ami_type, "1.35", managed=managed) == path
    assert image_parameter(None, "AL2023_x86_64_NVIDIA", None, managed=True) is None
