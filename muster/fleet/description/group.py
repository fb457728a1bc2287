"""A node group: what it is for, its instances, how many, and where they come from."""

from enum import StrEnum
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, model_validator

from muster.fleet.description.capacity import Capacity
from muster.fleet.description.group_core import KubernetesGroup, Purpose, Tier, check_huge_pages
from muster.fleet.description.identifiers import GroupName, KeyPairName
from muster.fleet.description.image import Family, Image
from muster.fleet.description.nodes import MOST_NODES, Nodes, three_numbers
from muster.fleet.description.part import Change, Choice, Nothing, Part, field
from muster.fleet.description.volume import Volume
from muster.fleet.hardware import hardware
from muster.fleet.interfaces import Layout, slots
from muster.fleet.quantity import Size


class LocalStorage(StrEnum):
    """What becomes of the instance's NVMe disks: one RAID 0 array for the kubelet and containers, or nothing."""

    RAID0 = "raid0"
    NONE = "none"


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


class Group(KubernetesGroup):
    """One node group of EKS."""

    @model_validator(mode="after")
    def _fits_its_hardware(self) -> Self:
        """Huge pages are taken from the node's memory before the kubelet sees it; an array needs disks."""
        machine = hardware(self.instance)
        if self.local_storage is LocalStorage.RAID0 and machine.nvme_gb == 0:
            raise ValueError(f"{self.instance} has no NVMe disks for local-storage: raid0; remove it")
        check_huge_pages(self.huge_pages or Size(0), machine, slots(machine, self.layout))
        return self

    was: GroupName | None = field(
        "The name that the group was made under, where it has another one now: what AWS has of it stays, with its old "
        "name, and so do its nodes. Keep it as long as the group is there; only the label muster/group changes.",
        Change.REPLACES,
        default=None,
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
    subnets: Tier = field("private or public subnets.", Change.REPLACES, default=Tier.PRIVATE)
    interfaces: Layout | None = field(
        "aws (AWS's current layout), classic (EFA on the primary interface: more pods) or plain (no EFA). "
        "Without it: aws for training, plain otherwise.",
        Change.DRAINS,
        default=None,
    )
    local_storage: LocalStorage = field("The NVMe disks: raid0 or none.", Change.DRAINS, default=LocalStorage.NONE)
    volume: Volume = field("The root volume.", Change.DRAINS, default=Volume())
    updates: Updates = field("How fast an update goes.", Change.IN_PLACE, default=Updates())
    session: Session | None = field(
        "A shell on the nodes: ssm, or {key-pair: NAME}. None without it.", Change.DRAINS, default=None
    )
    node_repair: StrictBool | None = field(
        "EKS replaces or reboots nodes that are not Ready (GPU faults it sees only with its node monitoring agent). "
        "Without it: on for accelerated groups.",
        Change.IN_PLACE,
        default=None,
    )

    @property
    def family(self) -> Family:
        """The operating system of its nodes."""
        return self.image.family

    @property
    def instance_type(self) -> str:
        """Its type, as the nodes' label has it."""
        return self.instance

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
