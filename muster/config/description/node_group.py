"""What every group of nodes has, and the node group of EKS."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, model_validator

from muster.config.description.base import Change, Choice, Nothing, StrictModel, key, unique_items
from muster.config.description.capacity import Capacity
from muster.config.description.node_settings import (
    MOST_NODES,
    Family,
    Image,
    Nodes,
    Scaler,
    Volume,
    nodes_from_number,
)
from muster.config.identifiers import GroupName, KeyPairName, LabelKey, LabelValue, NodeLabelKey, SecurityGroupId
from muster.hardware.allocatable import allocatable
from muster.hardware.catalogue import Hardware, hardware, instance_types
from muster.hardware.huge_pages import PAGE, pages
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Layout, Slot, slots
from muster.hardware.ultraservers import UltraServer, ultraservers, ultraservers_of
from muster.hardware.zones import ZoneName
from muster.size import Size


class Purpose(StrEnum):
    """The purpose of a group. It decides placement, taints and the one-zone rules."""

    TRAINING = "training"
    INFERENCE = "inference"
    SYSTEM = "system"


class Provisioner(StrEnum):
    """What creates the nodes of a group."""

    NODE_GROUP = "node-group"
    KARPENTER = "karpenter"
    AUTO_MODE = "auto-mode"
    """The Karpenter that EKS Auto Mode runs outside the cluster."""


class Tier(StrEnum):
    """Which subnets of the network a group uses."""

    PRIVATE = "private"
    PUBLIC = "public"


_LEAST_MEMORY = Size(1024)
"""The memory of a node that huge pages must leave, for DaemonSets. (Without huge pages, Muster accepts every type that
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
        raise ValueError(f"'{instance}' is SageMaker's name for {named}; write {named}: Muster adds {ML} on HyperPod")
    if hardware(instance).architecture.endswith("_mac"):
        raise ValueError(f"'{instance}' is a Mac instance, but nodes run Linux; use another instance type")
    return instance


def _whole_pages(amount: Size) -> Size:
    pages(amount)
    return amount


InstanceType = Annotated[str, AfterValidator(linux_type), Field(examples=["p5.48xlarge"])]
SecurityGroups = Annotated[tuple[SecurityGroupId, ...], AfterValidator(unique_items)]
HugePages = Annotated[Size, AfterValidator(_whole_pages)]


class BaseGroup(StrictModel):
    """What a group sets for its nodes, on every backend. Each backend states its own change costs."""

    purpose: Purpose = key("Purpose of the nodes: training, inference or system.", Change.DRAINS, alias="for")
    instance: InstanceType = key("EC2 instance type, as in p5.48xlarge.", Change.DRAINS)
    nodes: Any = key("Number of nodes; each backend has its own model.", Change.IN_PLACE)
    capacity: Any = key("Source of the instances; each backend has its own model.", Change.DRAINS, default=None)

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone of its nodes: the zone of its capacity."""
        zone: ZoneName | None = self.capacity.held.zone if self.capacity.held else None
        return zone

    @property
    def by_karpenter(self) -> bool:
        """Whether Karpenter creates its nodes: the add-on, or the Karpenter of EKS Auto Mode."""
        return False

    @property
    def by_auto_mode(self) -> bool:
        """Whether EKS Auto Mode creates its nodes."""
        return False

    @property
    def ultraserver(self) -> UltraServer | None:
        """The type of the UltraServers that its nodes are in: the one that its training plan states, or the one that
        has as many instances as its Capacity Block. None if it has none, or its capacity does not determine it."""
        held = self.capacity.held
        stated = getattr(held, "ultraserver", None)
        if stated is not None:
            return ultraservers()[stated]
        if held is None or held is self.capacity.on_demand_reservation:
            return None
        possible = ultraservers_of(self.instance)
        if self.capacity.capacity_block is None:
            return possible[0] if len(possible) == 1 else None
        return next((each for each in possible if each.instances == held.count), None)


class KubernetesGroup(BaseGroup):
    """What a group of Kubernetes nodes sets for its nodes. The texts and the change costs are those of EKS."""

    instance: InstanceType = key(
        "EC2 instance type, as in p5.48xlarge. A type with another kind of accelerator replaces the group.",
        Change.DRAINS,
    )
    zone: ZoneName | None = key(
        "The one zone of its nodes. Default: the zone of its capacity; otherwise the first two zones that have a "
        "subnet.",
        Change.REPLACES,
        default=None,
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach to every network interface, in addition to Muster's. Default: none.",
        Change.DRAINS,
        default=(),
    )
    huge_pages: HugePages | None = key(
        "Memory of each node to allocate as 2 MiB huge pages, in MiB or GiB. Default: 10256MiB with EFA, none "
        "otherwise.",
        Change.DRAINS,
        default=None,
    )
    labels: dict[NodeLabelKey, LabelValue] = key(
        "Kubernetes labels of the nodes, in addition to those that Muster derives. Default: none.",
        Change.IN_PLACE,
        default={},
    )
    taints: dict[LabelKey, Effect] = key(
        "Taints of the nodes, in addition to the one that Muster derives: map of key to effect. Default: none.",
        Change.IN_PLACE,
        default={},
    )

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone of its nodes: `zone`, or the zone of its capacity."""
        return self.zone or super().only_zone


def check_huge_pages(amount: Size, machine: Hardware, nics: tuple[Slot, ...]) -> None:
    """Checks that huge pages leave memory to pods: the node allocates them before the kubelet counts its memory.

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
            f"huge-pages of {amount} leave {to_pods} of the memory of {machine.instance} to pods; set huge-pages to "
            f"at most {most}"
        )


class LocalStorage(StrEnum):
    """How a node uses its NVMe disks: one RAID 0 array for the kubelet and containers, or not at all."""

    RAID0 = "raid0"
    NONE = "none"


class Updates(StrictModel):
    """How many nodes an update replaces at a time."""

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.at_once is not None and self.percent_at_once is not None:
            raise ValueError("at-once and percent-at-once are both set; keep only one of them")
        return self

    at_once: StrictInt | None = key(
        "Number of nodes that an update replaces at a time. Default: 1, unless `percent-at-once` is set.",
        Change.IN_PLACE,
        default=None,
        ge=1,
        le=100,
    )
    percent_at_once: StrictInt | None = key(
        "Percentage of the group's nodes that an update replaces at a time. Default: not set.",
        Change.IN_PLACE,
        default=None,
        ge=1,
        le=100,
    )


class Session(Choice):
    """How a user gets a shell on a node."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"ssm"})

    ssm: Nothing | None = key(
        "Sessions of AWS Systems Manager. They need no open port and no key.", Change.IN_PLACE, default=None
    )
    key_pair: KeyPairName | None = key(
        "SSH with this EC2 key pair. You must open port 22 yourself (`security-groups`).", Change.DRAINS, default=None
    )


_KARPENTERS = (Provisioner.KARPENTER, Provisioner.AUTO_MODE)

_BY_AUTO_MODE = {"image": "bottlerocket"}


def _disks_of_auto_mode(instance: Any) -> str:
    """EKS Auto Mode makes one array of all NVMe disks (EKS user guide, automode-learn-instances)."""
    known = instance in instance_types() and hardware(instance).nvme_gb
    return (LocalStorage.RAID0 if known else LocalStorage.NONE).value


class Group(KubernetesGroup):
    """One node group of EKS."""

    @model_validator(mode="after")
    def _fits_its_hardware(self) -> Self:
        """Checks that huge pages leave memory to pods, and that an instance with a disk array has disks."""
        machine = hardware(self.instance)
        if self.local_storage is LocalStorage.RAID0 and machine.nvme_gb == 0:
            raise ValueError(f"{self.instance} has no NVMe disks for local-storage: raid0; remove local-storage")
        check_huge_pages(self.huge_pages or Size(0), machine, slots(machine, self.layout))
        return self

    @model_validator(mode="before")
    @classmethod
    def _decided_by_auto_mode(cls, value: Any) -> Any:
        """EKS Auto Mode decides about the image, which is Bottlerocket, and the disks."""
        if not isinstance(value, dict) or value.get("provisioned-by") != Provisioner.AUTO_MODE:
            return value
        return {**value, **_BY_AUTO_MODE, "local-storage": _disks_of_auto_mode(value.get("instance"))}

    @model_validator(mode="before")
    @classmethod
    def _most_nodes_of_karpenter(cls, value: Any) -> Any:
        """A single number is the most nodes that Karpenter creates: it starts with none."""
        if not isinstance(value, dict) or value.get("provisioned-by") not in _KARPENTERS:
            return value
        most = value.get("nodes")
        if type(most) is not int or not 1 <= most <= MOST_NODES:
            return value
        return {**value, "nodes": {"min": 0, "start": 0, "max": most, "scaled-by": Scaler.AUTOSCALER.value}}

    was: GroupName | None = key(
        "Name under which the group was created, if you have renamed it. Its AWS resources keep this old name, and "
        "its nodes stay. Keep this key as long as the group exists. Only the label muster/group changes. Default: "
        "the name of the group.",
        Change.REPLACES,
        default=None,
    )
    nodes: Annotated[
        Nodes,
        BeforeValidator(nodes_from_number, json_schema_input_type=Nodes | Annotated[int, Field(ge=1, le=MOST_NODES)]),
    ] = key(
        "Number of nodes, or {min, start, max}. With `provisioned-by: karpenter` or `auto-mode`, the highest number "
        "of nodes.",
        Change.IN_PLACE,
    )
    provisioned_by: Provisioner = key(
        "What creates the nodes: node-group (EKS, or an Auto Scaling group with `self-managed`), karpenter or "
        "auto-mode. Karpenter creates a node when pods wait for it, and removes it 10 minutes after its last pod. "
        "karpenter needs the add-on `karpenter`. auto-mode turns on EKS Auto Mode, which runs Karpenter, chooses the "
        "image, includes the device plugins and replaces each node within 21 days. A change applies to nodes that "
        "are created later. Default: node-group.",
        Change.REPLACES,
        default=Provisioner.NODE_GROUP,
    )
    capacity: Capacity = key(
        "Source of the instances: on-demand, spot, reservation, reservation-group or capacity-block. Default: "
        "on-demand.",
        Change.DRAINS,
        default=Capacity(**{"on-demand": Nothing()}),
    )
    self_managed: StrictBool = key(
        "Whether Muster creates a self-managed Auto Scaling group instead of an EKS managed node group, for "
        "settings that managed node groups do not support. Nothing drains or updates its nodes: a change applies to "
        "nodes launched after it. Default: false.",
        Change.REPLACES,
        default=False,
    )
    image: Image = key(
        "Image of the nodes: al2023, bottlerocket or {custom: ...}. Default: al2023.",
        Change.REPLACES,
        default=Image(al2023=Nothing()),
    )
    subnets: Tier = key(
        "Subnets of the nodes: private or public. Default: private.", Change.REPLACES, default=Tier.PRIVATE
    )
    interfaces: Layout | None = key(
        "Network interfaces: aws (AWS's current layout), classic (EFA on the primary interface, which allows more "
        "pods) or plain (no EFA). Default: aws for training groups, plain for others.",
        Change.DRAINS,
        default=None,
    )
    local_storage: LocalStorage = key(
        "Use of the NVMe disks: raid0 or none. Default: none.", Change.DRAINS, default=LocalStorage.NONE
    )
    volume: Volume = key("Root volume of each node. Default: 100GiB, gp3.", Change.DRAINS, default=Volume())
    updates: Updates = key(
        "How many nodes an update replaces at a time. Default: 1.", Change.IN_PLACE, default=Updates()
    )
    session: Session | None = key(
        "Shell access to the nodes: ssm, or {key-pair: NAME}. Default: none.", Change.DRAINS, default=None
    )
    node_repair: StrictBool | None = key(
        "Whether EKS replaces or reboots nodes that are not Ready. It detects GPU faults only with its node "
        "monitoring agent. Default: true for groups with accelerators, false for others.",
        Change.IN_PLACE,
        default=None,
    )

    @property
    def by_karpenter(self) -> bool:
        """Whether Karpenter creates its nodes: the add-on, or the Karpenter of EKS Auto Mode."""
        return self.provisioned_by in _KARPENTERS

    @property
    def by_auto_mode(self) -> bool:
        """Whether EKS Auto Mode creates its nodes."""
        return self.provisioned_by is Provisioner.AUTO_MODE

    @property
    def node_creator(self) -> str:
        """What creates its nodes, as users know it."""
        if self.by_auto_mode:
            return "EKS Auto Mode"
        return "Karpenter" if self.by_karpenter else "Auto Scaling"

    @property
    def changes_at_launch(self) -> bool:
        """Whether a change applies only to nodes that are launched later: nothing drains or updates its nodes."""
        return self.self_managed or self.by_karpenter

    @property
    def family(self) -> Family:
        """The operating system of its nodes."""
        return self.image.family

    @property
    def instance_type(self) -> str:
        """Its instance type, as in the label of the nodes."""
        return self.instance

    @property
    def nodes_now(self) -> Nodes:
        """The node counts that Muster sends to AWS: `min` and `start` are 0 until the Capacity Block begins."""
        block = self.capacity.capacity_block
        return self.nodes if block is None or block.active else self.nodes.model_copy(update={"min": 0, "start": 0})

    @property
    def layout(self) -> Layout:
        """The interface layout: `interfaces`; otherwise aws for training and plain for others."""
        if self.interfaces is not None:
            return self.interfaces
        return Layout.AWS if self.purpose is Purpose.TRAINING else Layout.PLAIN
