"""A node group: what it is for, its instances, how many, and where they come from."""

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, model_validator
from pydantic_core import PydanticCustomError

from muster.fleet.allocatable import allocatable
from muster.fleet.description.capacity import Capacity
from muster.fleet.description.identifiers import LabelKey, LabelValue, NodeLabelKey, SecurityGroupId
from muster.fleet.description.part import Change, Nothing, Part, field
from muster.fleet.hardware import hardware
from muster.fleet.huge_pages import pages
from muster.fleet.interfaces import Layout, slots
from muster.fleet.quantity import Size
from muster.fleet.zones import ZoneName


class Purpose(StrEnum):
    """What a group is for; decides placement, taints and the one-zone rules."""

    TRAINING = "training"
    INFERENCE = "inference"
    SYSTEM = "system"


class Tier(StrEnum):
    """Which of the network's subnets a group takes."""

    PRIVATE = "private"
    PUBLIC = "public"


_LEAST_MEMORY = Size(1024)
"""What must be left of a node's memory: the DaemonSets' share."""


class LocalStorage(StrEnum):
    """What becomes of the instance's NVMe disks: one RAID 0 array for the kubelet and containers, or nothing."""

    RAID0 = "raid0"
    NONE = "none"


class Effect(StrEnum):
    """A taint's effect, in Kubernetes' words."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


_MOST_NODES = 5000
"""Nodes of one managed group, far above EKS's default quota."""


class Nodes(Part):
    """How many nodes: at least, at first, at most. A single number fixes all three."""

    min: StrictInt = field("The least; not above what runs.", Change.IN_PLACE, ge=0, le=_MOST_NODES)
    start: StrictInt = field("At creation; afterwards the live cluster decides.", Change.IN_PLACE, ge=0, le=_MOST_NODES)
    max: StrictInt = field(
        "The most; not below what runs. A reservation must cover it.",
        Change.IN_PLACE,
        ge=1,
        le=5000,
    )

    @property
    def fixed(self) -> bool:
        """Whether the number is one for good, so that Muster holds it and no autoscaler may."""
        return self.min == self.start == self.max


def _nodes(value: Any) -> Any:
    if isinstance(value, dict | Nodes):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_NODES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of nodes; write one from 1 to {most}, as in 4, or {{min, start, max}}",
            {"found": value if not isinstance(value, bool) else str(value).lower(), "most": _MOST_NODES},
        )
    return {"min": value, "start": value, "max": value}


def _known(instance: str) -> str:
    if hardware(instance).max_pods is None:
        raise ValueError(
            f"'{instance}' is catalogued, but no source states how many pods it holds; choose another type, or add the "
            "number and its source to muster/fleet/hardware/catalogue.csv"
        )
    return instance


def _whole_pages(amount: Size) -> Size:
    pages(amount)
    return amount


_SMALLEST_ROOT = Size(20 * 1024)
"""EKS's AL2023 images have 20 GiB."""
_LARGEST_ROOT = Size(16384 * 1024)
"""gp3's limit."""


def _whole_gib(size: Size) -> Size:
    if not _SMALLEST_ROOT <= size <= _LARGEST_ROOT or size.mib % 1024:
        raise ValueError(f"{size} is not a root volume; give whole GiB, {_SMALLEST_ROOT} to {_LARGEST_ROOT}")
    return size


def _each_once(groups: tuple[str, ...]) -> tuple[str, ...]:
    for group in groups:
        if groups.count(group) > 1:
            raise ValueError(f"{group} is given twice; keep one")
    return groups


_IOPS_PER_GIB = 500
_IOPS_PER_MIBPS = 4
_GP3_IOPS = 3000
_GP3_MIBPS = 125


class Volume(Part):
    """The root volume: gp3, always encrypted."""

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


class Group(Part):
    """One node group."""

    @model_validator(mode="after")
    def _fits_its_hardware(self) -> Self:
        """Huge pages are taken from the node's memory before the kubelet sees it; an array needs disks."""
        machine = hardware(self.instance)
        if self.local_storage is LocalStorage.RAID0 and not machine.nvme_gb:
            raise ValueError(f"{self.instance} has no NVMe disks for local-storage: raid0; remove it")
        pages = self.huge_pages or Size(0)
        left = allocatable(machine, slots(machine, self.layout), pages).memory_mib
        if left < _LEAST_MEMORY.mib:
            raise ValueError(
                f"huge-pages of {pages} leave {left} MiB of {machine.instance}'s memory to pods; "
                f"set aside at most {Size(pages.mib - _LEAST_MEMORY.mib + left)}"
            )
        return self

    purpose: Purpose = field("training, inference or system.", Change.DRAINS, alias="for")
    instance: Annotated[str, AfterValidator(_known)] = field(
        "An EC2 instance type. Another kind of accelerator replaces the group.", Change.DRAINS
    )
    nodes: Annotated[
        Nodes, BeforeValidator(_nodes, json_schema_input_type=Nodes | Annotated[int, Field(ge=1, le=_MOST_NODES)])
    ] = field("A number, or {min, start, max}.", Change.IN_PLACE)
    capacity: Capacity = field(
        "Where instances come from; on-demand without it.", Change.DRAINS, default=Capacity(**{"on-demand": Nothing()})
    )
    zone: ZoneName | None = field(
        "The one zone its nodes are in. Without it: the reservation's, or every zone with a subnet.",
        Change.REPLACES,
        default=None,
    )
    subnets: Tier = field("private or public subnets.", Change.REPLACES, default=Tier.PRIVATE)
    security_groups: Annotated[tuple[SecurityGroupId, ...], AfterValidator(_each_once)] = field(
        "Existing security groups to attach beside Muster's own, to every interface.", Change.DRAINS, default=()
    )
    interfaces: Layout | None = field(
        "aws (AWS's current layout), classic (EFA on the primary interface: more pods) or plain (no EFA). "
        "Without it: aws for training, plain otherwise.",
        Change.DRAINS,
        default=None,
    )
    huge_pages: Annotated[Size, AfterValidator(_whole_pages)] | None = field(
        "Memory set aside as 2 MiB huge pages on each node. Without it: 10256MiB with EFA, none otherwise.",
        Change.DRAINS,
        default=None,
    )
    local_storage: LocalStorage = field("The NVMe disks: raid0 or none.", Change.DRAINS, default=LocalStorage.NONE)
    volume: Volume = field("The root volume.", Change.DRAINS, default=Volume())
    labels: dict[NodeLabelKey, LabelValue] = field("Labels beside the derived ones.", Change.IN_PLACE, default={})
    taints: dict[LabelKey, Effect] = field("Taints beside the derived one: key -> effect.", Change.IN_PLACE, default={})
    node_repair: StrictBool | None = field(
        "EKS replaces or reboots nodes that are not Ready (GPU faults it sees only with its node monitoring agent). "
        "Without it: on for accelerated groups.",
        Change.IN_PLACE,
        default=None,
    )

    @property
    def layout(self) -> Layout:
        """The interface layout: what was said, or aws for training and plain for the rest."""
        if self.interfaces is not None:
            return self.interfaces
        return Layout.AWS if self.purpose is Purpose.TRAINING else Layout.PLAIN
