"""A node's disks: which one has the size that the description says."""

from typing import Any

import pytest

from muster.fleet.resources import ref as types
from tests.infra.registered import registered

OURS = {"volumeType": "gp3", "volumeSize": 300, "throughput": 500, "encrypted": "true", "deleteOnTermination": "true"}
SYSTEM = {"volumeType": "gp3", "encrypted": "true", "deleteOnTermination": "true"}
VOLUME = {"groups.workers.volume": {"size": "300GiB", "throughput": 500}}


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize(
    ("image", "disks"),
    [
        ("al2023", {"/dev/xvda": OURS}),
        ("bottlerocket", {"/dev/xvda": SYSTEM, "/dev/xvdb": OURS}),
        ({"custom": {"id": "ami-0123456789abcdef0"}}, {"/dev/xvda": OURS}),
        (
            {"custom": {"id": "ami-0123456789abcdef0", "family": "bottlerocket"}},
            {"/dev/xvda": SYSTEM, "/dev/xvdb": OURS},
        ),
    ],
)
def test_the_volume_is_the_one_that_holds_images_and_logs(image: Any, disks: dict[str, Any], *, own: bool) -> None:
    """AL2023's root; of Bottlerocket the second, data disk: its root has the operating system alone."""
    program = registered({**VOLUME, "groups.workers.image": image, "groups.workers.self-managed": own})
    mapped = program.one(types.LAUNCH_TEMPLATE, "workers").inputs["blockDeviceMappings"]
    assert {each["deviceName"]: each["ebs"] for each in mapped} == disks


@pytest.mark.parametrize(
    ("image", "type_", "version", "named"),
    [
        ("al2023", "AL2023_x86_64_NVIDIA", "1.35", None),
        ("bottlerocket", "BOTTLEROCKET_x86_64_NVIDIA", "1.35", None),
        ({"custom": {"id": "ami-0123456789abcdef0"}}, None, None, "ami-0123456789abcdef0"),
    ],
)
def test_a_managed_group_leaves_its_image_to_eks_or_names_its_own(
    image: Any, type_: str, version: str | None, named: str | None
) -> None:
    """Beside an image in the template EKS takes neither type nor version."""
    program = registered({"groups.workers.image": image})
    group = program.one(types.NODE_GROUP, "workers").inputs
    assert (group.get("amiType"), group.get("version")) == (type_, version)
    assert program.one(types.LAUNCH_TEMPLATE, "workers").inputs.get("imageId") == named
