"""What every group of nodes has, whichever service runs it."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator

from muster.fleet.allocatable import allocatable
from muster.fleet.description.identifiers import LabelKey, LabelValue, NodeLabelKey, SecurityGroupId
from muster.fleet.description.once import each_once
from muster.fleet.description.part import Change, Part, field
from muster.fleet.hardware import Hardware, hardware, instance_types
from muster.fleet.hardware.hyperpod_types import ML
from muster.fleet.huge_pages import PAGE, pages
from muster.fleet.interfaces import Slot
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


class Effect(StrEnum):
    """A taint's effect, in Kubernetes' words."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


def _known(instance: str) -> str:
    if instance.startswith(ML) and (named := instance.removeprefix(ML)) in instance_types():
        raise ValueError(f"'{instance}' is SageMaker's name of {named}; write {named}: Muster adds {ML} on HyperPod")
    hardware(instance)
    return instance


def _whole_pages(amount: Size) -> Size:
    pages(amount)
    return amount


InstanceType = Annotated[str, AfterValidator(_known)]
SecurityGroups = Annotated[tuple[SecurityGroupId, ...], AfterValidator(each_once)]
HugePages = Annotated[Size, AfterValidator(_whole_pages)]


class GroupCore(Part):
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


class KubernetesGroup(GroupCore):
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
    if left is None:
        return
    if left < _LEAST_MEMORY.mib:
        most, _ = Size(max(0, amount.mib - _LEAST_MEMORY.mib + left)).neighbours(PAGE.mib)
        to_pods = f"{left} MiB" if left > 0 else "nothing"
        raise ValueError(
            f"huge-pages of {amount} leave {to_pods} of {machine.instance}'s memory to pods; set aside at most {most}"
        )
