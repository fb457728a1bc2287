"""The node counts of a node group, its image and its volumes."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, StrictInt, model_validator
from pydantic_core import PydanticCustomError

from muster.config.description import ebs
from muster.config.description.base import (
    EKS,
    HYPERPOD,
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    PCS,
    Change,
    Choice,
    Exclusive,
    Form,
    Nothing,
    StrictModel,
    also_drawn,
    in_order,
    key,
    optional,
    unique_items,
)
from muster.config.description.ebs import GP3_IOPS, GP3_MIBPS
from muster.config.identifiers import ImageId, ParameterPath
from muster.hardware.ami import Family
from muster.size import Size, whole_gib_within

MOST_NODES = 5000
"""The maximum for one managed group, far above EKS's default quota."""
MOST_INSTANCES = 6758
"""The maximum for one group of HyperPod (SageMaker's model of CreateCluster)."""
MOST_OF_PCS = 2048
"""The nodes of the largest cluster of PCS (API reference, CreateCluster, size)."""

_MOST = {HYPERPOD: MOST_INSTANCES, HYPERPOD_SLURM: MOST_INSTANCES, PCS: MOST_OF_PCS}


class Scaler(StrEnum):
    """Who changes the number of nodes between min and max."""

    YOU = "you"
    AUTOSCALER = "autoscaler"


_RANGE = {EKS: Change.IN_PLACE, PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.IN_PLACE}
_INSTANCES = {HYPERPOD: Change.IN_PLACE, HYPERPOD_SLURM: Change.IN_PLACE}


class Nodes(StrictModel):
    """Number of nodes: the minimum and the maximum, and on EKS the number at creation. A single number sets all of
    them. On HyperPod: the number of instances, and the minimum with which the group goes into service."""

    min: StrictInt = key(
        "Minimum number of nodes, which always run. On EKS, it must not exceed the number that runs now. To "
        "lower it with ParallelCluster, stop the compute fleet, or set `on-update: terminate`.",
        _RANGE,
        instead="minimum",
        here={PCS: {"le": MOST_OF_PCS}},
        elsewhere=lambda nodes: nodes.count if nodes.minimum is None else nodes.minimum,
        ge=0,
        le=MOST_NODES,
    )
    start: StrictInt = key(
        "Number of nodes at creation. Later, Muster does not change the number of the live cluster.",
        {EKS: Change.IN_PLACE},
        instead="min",
        elsewhere=lambda nodes: nodes.count,
        ge=0,
        le=MOST_NODES,
    )
    max: StrictInt = key(
        "Maximum number of nodes. With Slurm, those beyond `min` start for jobs and stop when idle. On EKS, "
        "it must not be below the number that runs now. A reservation must cover it. To lower it with "
        "ParallelCluster, stop the compute fleet, or set `on-update: terminate`.",
        _RANGE,
        instead="count",
        here={PCS: {"le": MOST_OF_PCS}},
        elsewhere=lambda nodes: nodes.count,
        ge=1,
        le=MOST_NODES,
    )
    scaled_by: Scaler | None = optional(
        "Who changes the number of nodes between min and max: you (manually, or by a schedule) or autoscaler (one "
        "that runs in the cluster). If neither does, set `nodes` to a single number. Default: not set.",
        {EKS: Change.NOTHING},
    )
    count: StrictInt = key(
        "Number of instances to request.",
        _INSTANCES,
        instead="max",
        elsewhere=lambda nodes: nodes.min,
        ge=0,
        le=MOST_INSTANCES,
    )
    minimum: StrictInt | None = optional(
        "Minimum number of instances with which the group goes into service; the others may start later. If the "
        "minimum is not reached within three hours, HyperPod removes all of them. Default: `count`.",
        _INSTANCES,
        instead="min",
        ge=0,
        le=MOST_INSTANCES,
    )

    @model_validator(mode="before")
    @classmethod
    def _of_a_number(cls, value: Any) -> Any:
        """The numbers that a single one means."""
        if isinstance(value, dict | Nodes):
            return value
        least, most = cls._bounds()
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            form = ", ".join(name for name in cls.model_fields if name != "scaled_by")
            raise PydanticCustomError(
                "choice",
                "'{found}' is not a number of nodes; write a number from {least} to {most}, as in 4, or {form}",
                {
                    "found": value if not isinstance(value, bool) else str(value).lower(),
                    "least": least,
                    "most": most,
                    "form": f"{{{form}}}",
                },
            )
        return {name: value for name, info in cls.model_fields.items() if info.is_required()}

    @classmethod
    def _bounds(cls) -> tuple[int, int]:
        """The least and the greatest single number."""
        return 0 if "count" in cls.model_fields else 1, _MOST.get(cls.on, MOST_NODES)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        """The numbers of a backend, from the least to the greatest."""
        names = [name for name in ("min", "start", "minimum", "count", "max") if name in type(self).model_fields]
        in_order(**{name: number for name in names if (number := getattr(self, name)) is not None})
        return self

    @property
    def fixed(self) -> bool:
        """Whether the number is fixed: Muster keeps it, and no autoscaler may change it. HyperPod's always is."""
        return "count" in type(self).model_fields or self.min == self.start == self.max

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """The block, or one number."""
        drawn = handler.resolve_ref_schema(handler(schema))
        least, most = cls._bounds()
        also_drawn(drawn, {"type": "integer", "minimum": least, "maximum": most})
        return drawn


ROOT_DEVICE = "/dev/xvda"
"""The root device of EKS's AL2023 images, and Bottlerocket's small one with the operating system."""


class CustomImage(Exclusive):
    """A custom AMI. It stays the same until you change it; you keep it up to date."""

    one_of: ClassVar = ("id", "ssm")

    id: ImageId | None = optional("Id of the AMI, as in ami-0123456789abcdef0.", Change.DRAINS)
    ssm: ParameterPath | None = optional(
        "Name of an SSM parameter that contains the AMI id. EC2 reads it at each launch: use a parameter whose "
        "value does not change.",
        Change.DRAINS,
    )
    family: Family = key(
        "Operating system of the image: al2023 (or another one with nodeadm), or bottlerocket. Default: al2023.",
        Change.DRAINS,
        default=Family.AL2023,
    )
    root_device: Annotated[str, Form(r"/dev/(sd|xvd)a1?", "the name of a root device", "/dev/sda1")] = key(
        "Device name of the image's root volume (`RootDeviceName` in EC2), which gets the size of `volume`. Default: "
        "/dev/xvda, as in EKS's images.",
        Change.DRAINS,
        default=ROOT_DEVICE,
    )


class Image(Choice):
    """The image of the nodes: one of EKS's, with the driver that the hardware needs, or your own."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"al2023", "bottlerocket"})

    al2023: Nothing | None = optional("EKS's Amazon Linux 2023 image.", Change.REPLACES)
    bottlerocket: Nothing | None = optional(
        "Bottlerocket. Its NVIDIA variant includes the NVIDIA device plugin.", Change.REPLACES
    )
    custom: CustomImage | None = optional("A custom AMI.", Change.REPLACES)

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


class Volume(ebs.Volume):
    """The root volume: gp3, always encrypted. On Bottlerocket, it is the data volume, for images, logs and scratch
    files."""

    iops_of: ClassVar = {"gp3": (GP3_IOPS, _MOST_IOPS, 500)}

    size: Annotated[Size, AfterValidator(whole_gib_within(_SMALLEST_ROOT, _LARGEST_ROOT, "a root volume"))] = key(
        "Size of the root volume, in GiB or TiB. Default: 100GiB.", Change.DRAINS, default=Size(100 * 1024)
    )
    throughput: StrictInt | None = optional(
        "Throughput in MiB/s, 125 to 2000. Each MiB/s needs 4 IOPS. Default: 125, as gp3 includes.",
        Change.DRAINS,
        ge=GP3_MIBPS,
        le=_MOST_MIBPS,
    )
    iops: StrictInt | None = optional(
        "IOPS, 3000 to 80000, and at most 500 for each GiB. Default: 3000, as gp3 includes.",
        Change.DRAINS,
        ge=GP3_IOPS,
        le=_MOST_IOPS,
    )


BOTTLEROCKET_DATA = "/dev/xvdb"
"""The device on which Bottlerocket stores images, logs and temporary data: the volume whose size matters."""
_SMALLEST_EXTRA = Size(1024)


class ExtraVolume(Volume):
    """One more EBS volume of each node: gp3, encrypted, deleted with the node."""

    device: Annotated[
        str, Form(r"/dev/(sd|xvd)[b-z][a-z]?", "the device name of a volume beside the root volume", "/dev/sdf")
    ] = key(
        "Device name, as in /dev/sdf. On the node, it is a link to an NVMe device. Bottlerocket has /dev/xvdb itself.",
        Change.DRAINS,
    )
    size: Annotated[Size, AfterValidator(whole_gib_within(_SMALLEST_EXTRA, _LARGEST_ROOT, "a volume"))] = key(
        "Size, in GiB or TiB.", Change.DRAINS
    )


def one_of_each_device(volumes: tuple[ExtraVolume, ...]) -> tuple[ExtraVolume, ...]:
    """The volumes, after a check that each has a device name of its own.

    Raises:
        ValueError: names the first device that is listed twice.
    """
    unique_items(tuple(each.device for each in volumes))
    return volumes
