"""A node's root volume."""

from typing import Annotated, Self

from pydantic import AfterValidator, StrictInt, model_validator

from muster.fleet.description.part import Change, Part, field
from muster.fleet.quantity import Size

_SMALLEST_ROOT = Size(20 * 1024)
"""EKS's AL2023 images have 20 GiB."""
_LARGEST_ROOT = Size(16384 * 1024)
"""gp3's limit."""


def _whole_gib(size: Size) -> Size:
    if not _SMALLEST_ROOT <= size <= _LARGEST_ROOT or size.mib % 1024:
        raise ValueError(f"{size} is not a root volume; give whole GiB, {_SMALLEST_ROOT} to {_LARGEST_ROOT}")
    return size


_IOPS_PER_GIB = 500
_IOPS_PER_MIBPS = 4
_GP3_IOPS = 3000
_GP3_MIBPS = 125


class Volume(Part):
    """The root volume: gp3, always encrypted. On Bottlerocket it is the data volume: images, logs, scratch."""

    size: Annotated[Size, AfterValidator(_whole_gib)] = field("Its size.", Change.DRAINS, default=Size(100 * 1024))
    throughput: StrictInt | None = field(
        "MiB/s; gp3's own 125 without it.", Change.DRAINS, default=None, ge=125, le=2000
    )
    iops: StrictInt | None = field("gp3's own 3000 without it.", Change.DRAINS, default=None, ge=3000, le=80000)

    @model_validator(mode="after")
    def _within_gp3(self) -> Self:
        """EBS user guide, "gp3": 500 IOPS a GiB, and 4 IOPS for every MiB/s."""
        iops, throughput = self.iops or _GP3_IOPS, self.throughput or _GP3_MIBPS
        if iops > max(_GP3_IOPS, self.size.gib * _IOPS_PER_GIB):
            raise ValueError(f"{iops} iops are too many for {self.size}; gp3 takes {_IOPS_PER_GIB} a GiB")
        if throughput * _IOPS_PER_MIBPS > iops:
            raise ValueError(
                f"{throughput} MiB/s need {throughput * _IOPS_PER_MIBPS} iops; raise iops, or lower throughput"
            )
        return self
