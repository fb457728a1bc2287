"""What every group of nodes has, and the node group of EKS."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, model_validator

from muster.config.description.base import Change, Choice, Nothing, StrictModel, field, unique_items
from muster.config.description.capacity import Capacity
from muster.config.description.node_settings import MOST_NODES, Family, Image, Nodes, Volume, nodes_from_number
from muster.config.identifiers import GroupName, KeyPairName, LabelKey, LabelValue, NodeLabelKey, SecurityGroupId
from muster.hardware.allocatable import allocatable
from muster.hardware.catalogue import Hardware, hardware, instance_types
from muster.hardware.huge_pages import PAGE, pages
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Layout, Slot, slots
from muster.hardware.zones import ZoneName
from muster.size import Size


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
"""What huge pages must leave of a node's memory: the DaemonSets' share. (Without huge pages any type is accepted that
has memory for pods: a t3.micro runs as a node.)"""


class Effect(StrEnum):
    """A taint's effect, in Kubernetes' words."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


def linux_type(instance: str) -> str:
    """An instance type that Linux runs on.

    Raises:
        ValueError: Muster does not know the type, or it is a Mac.
    """
    if instance.startswith(ML) and (named := instance.removeprefix(ML)) in instance_types():
        raise ValueError(f"'{instance}' is SageMaker's name of {named}; write {named}: Muster adds {ML} on HyperPod")
    if hardware(instance).architecture.endswith("_mac"):
        raise ValueError(f"'{instance}' is a Mac, and nodes run Linux; use another type")
    return instance


def _whole_pages(amount: Size) -> Size:
    pages(amount)
    return amount


InstanceType = Annotated[str, AfterValidator(linux_type)]
SecurityGroups = Annotated[tuple[SecurityGroupId, ...], AfterValidator(unique_items)]
HugePages = Annotated[Size, AfterValidator(_whole_pages)]


class BaseGroup(StrictModel):
    """What a group says of its nodes, on any backend. What a change costs each backend says itself."""

    purpose: Purpose = field("training, inference or system.", Change.DRAINS, alias="for")
    instance: InstanceType = field("An EC2 instance type.", Change.DRAINS)
    nodes: Any = field("How many; each backend has its own form.", Change.IN_PLACE)
    capacity: Any = field("Where instances come from; each backend has its own choice.", Change.DRAINS, default=None)

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone its nodes are in: its capacity's."""
        zone: ZoneName | None = self.capacity.held.zone if self.capacity.held else None
        return zone


class KubernetesGroup(BaseGroup):
    """What a group of nodes of Kubernetes says of them. The words, and what a change costs, are those of EKS."""

    instance: InstanceType = field(
        "An EC2 instance type. Another kind of accelerator replaces the group.", Change.DRAINS
    )
    zone: ZoneName | None = field(
        "The one zone its nodes are in. Without it: its capacity's, or the first two with a subnet.",
        Change.REPLACES,
        default=None,
    )
    security_groups: SecurityGroups = field(
        "Existing security groups to attach beside Muster's own, to every interface.", Change.DRAINS, default=()
    )
    huge_pages: HugePages | None = field(
        "Memory set aside as 2 MiB huge pages on each node. Without it: 10256MiB with EFA, none otherwise.",
        Change.DRAINS,
        default=None,
    )
    labels: dict[NodeLabelKey, LabelValue] = field("Labels beside the derived ones.", Change.IN_PLACE, default={})
    taints: dict[LabelKey, Effect] = field("Taints beside the derived one: key -> effect.", Change.IN_PLACE, default={})

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone its nodes are in: the named one, or its capacity's."""
        return self.zone or super().only_zone


def check_huge_pages(amount: Size, machine: Hardware, nics: tuple[Slot, ...]) -> None:
    """Huge pages are taken from the node's memory before the kubelet sees it.

    Raises:
        ValueError: they leave too little to pods.
    """
    left = allocatable(machine, nics, amount).memory_mib
    if left is None or not amount.mib:
        return
    if left < _LEAST_MEMORY.mib:
        most, _ = Size(max(0, amount.mib - _LEAST_MEMORY.mib + left)).neighbours(PAGE.mib)
        to_pods = f"{left} MiB" if left > 0 else "nothing"
        raise ValueError(
            f"huge-pages of {amount} leave {to_pods} of {machine.instance}'s memory to pods; set aside at most {most}"
        )


class LocalStorage(StrEnum):
    """What becomes of the instance's NVMe disks: one RAID 0 array for the kubelet and containers, or nothing."""

    RAID0 = "raid0"
    NONE = "none"


class Updates(StrictModel):
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
        Nodes,
        BeforeValidator(nodes_from_number, json_schema_input_type=Nodes | Annotated[int, Field(ge=1, le=MOST_NODES)]),
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
