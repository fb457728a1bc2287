"""What a node boots from."""

from enum import StrEnum
from typing import ClassVar, Self

from pydantic import model_validator

from muster.fleet.description.identifiers import ImageId, ParameterPath
from muster.fleet.description.part import Change, Choice, Nothing, Part, exactly_one, field


class Family(StrEnum):
    """Which operating system an image is of: it decides how a node is told about its cluster."""

    AL2023 = "al2023"
    BOTTLEROCKET = "bottlerocket"


class CustomImage(Part):
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
