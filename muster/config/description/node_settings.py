"""How many nodes a node group has, what they boot from, and their root volume."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, StrictInt, model_validator
from pydantic_core import PydanticCustomError

from muster.config.description.base import Change, Choice, Nothing, StrictModel, exactly_one, field
from muster.config.identifiers import ImageId, ParameterPath
from muster.size import Size, whole_gib

MOST_NODES = 5000
"""Nodes of one managed group, far above EKS's default quota."""


class Scaler(StrEnum):
    """Who moves the number of nodes between min and max."""

    YOU = "you"
    AUTOSCALER = "autoscaler"


class Nodes(StrictModel):
    """How many nodes: at least, at first, at most. A single number fixes all three."""

    min: StrictInt = field("The least; not above what runs.", Change.IN_PLACE, ge=0, le=MOST_NODES)
    start: StrictInt = field("At creation; afterwards the live cluster decides.", Change.IN_PLACE, ge=0, le=MOST_NODES)
    max: StrictInt = field(
        "The most; not below what runs. A reservation must cover it.",
        Change.IN_PLACE,
        ge=1,
        le=MOST_NODES,
    )
    scaled_by: Scaler | None = field(
        "Who moves the number between min and max: you (by hand, or a schedule), or an autoscaler that runs in the "
        "cluster. Where nobody does, say one number.",
        Change.NOTHING,
        default=None,
    )

    @property
    def fixed(self) -> bool:
        """Whether the number is one for good, so that Muster holds it and no autoscaler may."""
        return self.min == self.start == self.max


def nodes_from_number(value: Any) -> Any:
    """A single number as the three it stands for."""
    if isinstance(value, dict | Nodes):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_NODES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of nodes; write one from 1 to {most}, as in 4, or {form}",
            {
                "found": value if not isinstance(value, bool) else str(value).lower(),
                "most": MOST_NODES,
                "form": "{min, start, max}",
            },
        )
    return {"min": value, "start": value, "max": value}


class Family(StrEnum):
    """Which operating system an image is of: it decides how a node is told about its cluster."""

    AL2023 = "al2023"
    BOTTLEROCKET = "bottlerocket"


class CustomImage(StrictModel):
    """An image of your own: pinned, and then yours to renew."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        exactly_one(self, "id", "ssm")
        return self

    id: ImageId | None = field("The AMI.", Change.DRAINS, default=None)
    ssm: ParameterPath | None = field(
        "An SSM parameter with the AMI's id. EC2 reads it at each launch: name one that does not move.",
        Change.DRAINS,
        default=None,
    )
    family: Family = field("What the image is made from.", Change.DRAINS, default=Family.AL2023)


class Image(Choice):
    """The image: EKS's own, with the driver that the hardware needs, or yours."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"al2023", "bottlerocket"})

    al2023: Nothing | None = field("EKS's Amazon Linux 2023.", Change.REPLACES, default=None)
    bottlerocket: Nothing | None = field(
        "Bottlerocket. Its NVIDIA variant brings the NVIDIA device plugin along.", Change.REPLACES, default=None
    )
    custom: CustomImage | None = field("An image of your own.", Change.REPLACES, default=None)

    @property
    def family(self) -> Family:
        """The operating system."""
        if self.custom:
            return self.custom.family
        return Family.BOTTLEROCKET if self.bottlerocket else Family.AL2023


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


class Volume(StrictModel):
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
