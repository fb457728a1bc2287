"""A node group: what it is for, its instances, how many, and where they come from."""

from enum import StrEnum
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, model_validator

from muster.fleet.allocatable import allocatable
from muster.fleet.description.capacity import Capacity
from muster.fleet.description.identifiers import KeyPairName, LabelKey, LabelValue, NodeLabelKey, SecurityGroupId
from muster.fleet.description.image import Image
from muster.fleet.description.nodes import MOST_NODES, Nodes, three_numbers
from muster.fleet.description.once import each_once
from muster.fleet.description.part import Change, Choice, Nothing, Part, field
from muster.fleet.description.volume import Volume
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


class Updates(Part):
    """How many nodes an update takes out at a time."""

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.at_once is not None and self.percent_at_once is not None:
            raise ValueError("at-once and percent-at-once are both given; keep one")
        return self

    at_once: StrictInt | None = field("So many nodes; 1 without either.", Change.IN_PLACE, default=None, ge=1, le=100)
    percent_at_once: StrictInt | None = field(
        "So many of a hundred of the group's nodes.", Change.IN_PLACE, default=None, ge=1, le=100
    )


class Session(Choice):
    """How a person gets a shell on a node."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"ssm"})

    ssm: Nothing | None = field("AWS Systems Manager sessions: no open port, no key.", Change.IN_PLACE, default=None)
    key_pair: KeyPairName | None = field(
        "SSH with an EC2 key pair; opening port 22 is left to you (`security-groups`).", Change.DRAINS, default=None
    )


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
        Nodes, BeforeValidator(three_numbers, json_schema_input_type=Nodes | Annotated[int, Field(ge=1, le=MOST_NODES)])
    ] = field("A number, or {min, start, max}.", Change.IN_PLACE)
    capacity: Capacity = field(
        "Where instances come from; on-demand without it.", Change.DRAINS, default=Capacity(**{"on-demand": Nothing()})
    )
    self_managed: StrictBool = field(
        "An Auto Scaling group of your own instead of an EKS managed node group: for what managed groups do not take. "
        "Nobody drains or updates its nodes: a change reaches those that are launched after it.",
        Change.REPLACES,
        default=False,
    )
    image: Image = field("al2023, bottlerocket, or {custom: ...}.", Change.REPLACES, default=Image(al2023=Nothing()))
    zone: ZoneName | None = field(
        "The one zone its nodes are in. Without it: its capacity's, or the first two with a subnet.",
        Change.REPLACES,
        default=None,
    )
    subnets: Tier = field("private or public subnets.", Change.REPLACES, default=Tier.PRIVATE)
    security_groups: Annotated[tuple[SecurityGroupId, ...], AfterValidator(each_once)] = field(
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
    updates: Updates = field("How fast an update goes.", Change.IN_PLACE, default=Updates())
    session: Session | None = field(
        "A shell on the nodes: ssm, or {key-pair: NAME}. None without it.", Change.DRAINS, default=None
    )
    labels: dict[NodeLabelKey, LabelValue] = field("Labels beside the derived ones.", Change.IN_PLACE, default={})
    taints: dict[LabelKey, Effect] = field("Taints beside the derived one: key -> effect.", Change.IN_PLACE, default={})
    node_repair: StrictBool | None = field(
        "EKS replaces or reboots nodes that are not Ready (GPU faults it sees only with its node monitoring agent). "
        "Without it: on for accelerated groups.",
        Change.IN_PLACE,
        default=None,
    )

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone it is in: what was said, or where its capacity is."""
        return self.zone or (self.capacity.held.zone if self.capacity.held else None)

    @property
    def nodes_now(self) -> Nodes:
        """The numbers as AWS is told them: none at first while a Capacity Block has not begun."""
        block = self.capacity.capacity_block
        return self.nodes if block is None or block.active else self.nodes.model_copy(update={"min": 0, "start": 0})

    @property
    def layout(self) -> Layout:
        """The interface layout: what was said, or aws for training and plain for the rest."""
        if self.interfaces is not None:
            return self.interfaces
        return Layout.AWS if self.purpose is Purpose.TRAINING else Layout.PLAIN
