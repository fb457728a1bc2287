"""A node's root volume."""

from typing import Annotated

from pydantic import AfterValidator, StrictInt

from muster.fleet.description.part import Change, Part, field
from muster.fleet.quantity import Size, whole_gib

_SMALLEST_ROOT = Size(20 * 1024)
"""EKS's AL2023 images have 20 GiB."""
_LARGEST_ROOT = Size(64 * 1024 * 1024)
"""gp3's limit since September 2025 (before: 16 TiB, 16000 IOPS, 1000 MiB/s; AWS re:Invent 2025, STG320)."""
_MOST_IOPS = 80_000
_MOST_MIBPS = 2000

GP3_IOPS_PER_GIB = 500
GP3_IOPS_PER_MIBPS = 4
GP3_IOPS = 3000
"""What every gp3 volume has, and the least that can be asked for; so with its throughput."""
GP3_MIBPS = 125


def _root(size: Size) -> Size:
    if not _SMALLEST_ROOT <= size <= _LARGEST_ROOT:
        raise ValueError(f"{size} is not a root volume; give {_SMALLEST_ROOT} to {_LARGEST_ROOT}")
    return size


class Volume(Part):
    """The root volume: gp3, always encrypted. On Bottlerocket it is the data volume: images, logs, scratch."""

    size: Annotated[Size, AfterValidator(whole_gib), AfterValidator(_root)] = field(
        "Its size.", Change.DRAINS, default=Size(100 * 1024)
    )
    throughput: StrictInt | None = field(
        "MiB/s; gp3's own 125 without it. Each takes 4 IOPS.",
        Change.DRAINS,
        default=None,
        ge=GP3_MIBPS,
        le=_MOST_MIBPS,
    )
    iops: StrictInt | None = field(
        "gp3's own 3000 without it; 500 a GiB at most.", Change.DRAINS, default=None, ge=GP3_IOPS, le=_MOST_IOPS
    )
