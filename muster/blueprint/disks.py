"""The EBS volumes of a node on EKS: that of its image, and more of its own."""

from collections.abc import Iterator
from typing import NamedTuple

from muster.config.description.group import Group
from muster.config.description.node_settings import BOTTLEROCKET_DATA, ROOT_DEVICE, Volume
from muster.hardware.ami import Family

_SYSTEM_GIB = 4
"""The size of Bottlerocket's volume with the operating system."""


class Disk(NamedTuple):
    """One volume: gp3, encrypted, deleted with its node."""

    device: str
    volume: Volume | None
    """Its settings; None for the operating system's volume of Bottlerocket, which has the size of its image."""
    has_images: bool = False
    """Whether it stores images and logs."""

    @property
    def gib(self) -> int:
        """Its size."""
        return self.volume.size.gib if self.volume else _SYSTEM_GIB


def disks(described: Group) -> Iterator[Disk]:
    """The volumes of a group's nodes. EKS Auto Mode has only the first."""
    custom = described.image.custom
    root = custom.root_device if custom else ROOT_DEVICE
    if described.family is Family.BOTTLEROCKET:
        yield Disk(root, None)
        yield Disk(BOTTLEROCKET_DATA, described.volume, has_images=True)
    else:
        yield Disk(root, described.volume, has_images=True)
    yield from (Disk(each.device, each) for each in described.volumes)
