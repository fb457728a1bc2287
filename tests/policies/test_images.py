"""Which image a group boots from: its own type's, its template's, or EKS's choice."""

from typing import Any

import pytest

from muster.fleet.unknown import UNKNOWN
from policies.lookups.machines import image_of
from tests.factories import a_fleet, a_group, a_template
from tests.policies.cases.images import AMI
from tests.policies.cases.images import OURS as PATH

BY_PATH = f"resolve:ssm:{PATH}"
OF_PATH, OF_TYPE = f"image {BY_PATH}", "amiType AL2023_x86_64_NVIDIA"
EKS, LATER = "the image: the group says no amiType, and EKS chooses", "amiType, not known before creation"


@pytest.mark.parametrize(
    ("managed", "ami_type", "image", "name", "missing"),
    [
        (True, "AL2023_x86_64_NVIDIA", None, OF_TYPE, ""),
        (True, "AL2023_x86_64_NVIDIA", AMI, OF_TYPE, ""),
        (True, "AL2023_x86_64_NVIDIA", BY_PATH, OF_TYPE, ""),
        (True, "CUSTOM", None, None, ""),
        (True, "CUSTOM", AMI, None, ""),
        (True, "CUSTOM", BY_PATH, OF_PATH, ""),
        (True, None, None, None, EKS),
        (True, None, AMI, None, ""),
        (True, None, BY_PATH, OF_PATH, ""),
        (True, UNKNOWN, None, None, LATER),
        (True, UNKNOWN, AMI, None, ""),
        (True, UNKNOWN, BY_PATH, OF_PATH, ""),
        (False, "AL2023_x86_64_NVIDIA", BY_PATH, OF_PATH, ""),
        (False, None, None, None, ""),
        (False, None, AMI, None, ""),
        (False, None, "resolve:ssm:/teams/ml/images/latest", None, ""),
    ],
)
def test_where_an_image_comes_from(
    managed: bool, ami_type: Any, image: str | None, name: str | None, missing: str
) -> None:
    """A type of EKS's counts first; one that is not known yet is none beside a template's own image."""
    group = a_group(managed=managed, ami_type=ami_type)
    # A self-managed one is not in the fleet: the factory would give its template an image.
    fleet = a_fleet(a_template(image=image), group if managed else a_group())
    found, lacks = image_of(group, fleet)
    assert (found.name if found else None, lacks) == (name, missing)
