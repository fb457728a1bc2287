"""Parts of a group of nodes: its purpose, instance type, disks, updates, shell access."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, StrictInt, model_validator
from pydantic_core import PydanticKnownError

from muster.config.description.base import (
    Change,
    Choice,
    Form,
    Nothing,
    StrictModel,
    TextOrList,
    fault_at,
    optional,
    unique_items,
)
from muster.config.identifiers import KeyPairName, SecurityGroupId, SubnetList
from muster.hardware.allocatable import allocatable, with_kubelet
from muster.hardware.catalogue import Hardware, hardware, instance_types
from muster.hardware.huge_pages import PAGE, pages
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Slot
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


def _tier(value: str) -> Tier:
    if value in [*Tier]:
        return Tier(value)
    raise PydanticKnownError("enum", {"expected": f"'{Tier.PRIVATE}', '{Tier.PUBLIC}' or a list of subnets"})


GroupSubnets = Annotated[Tier | SubnetList, TextOrList(_tier, {"type": "string", "enum": [*Tier]})]
"""Which subnets a group uses: a tier, or these."""


LEAST_MEMORY = Size(1024)
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


def check_huge_pages(amount: Size, machine: Hardware, nics: tuple[Slot, ...]) -> None:
    """Checks that huge pages leave memory to pods: the node allocates them before the kubelet counts its memory.

    Raises:
        PydanticCustomError: they leave too little to pods.
    """
    left = allocatable(machine, nics, amount).memory_mib
    if left is None or not amount.mib:
        return
    if left < LEAST_MEMORY.mib:
        # Half of the memory leaves a node on which a job can run; what is barely accepted leaves room for daemons only.
        memory = amount.mib + left
        most, _ = Size(max(0, min(memory // 2, memory - LEAST_MEMORY.mib))).neighbours(PAGE.mib)
        to_pods = f"{left} MiB" if left > 0 else "nothing"
        got = f"huge-pages of {amount} leave {to_pods} of the memory of {machine.instance} to pods"
        remedy = f"set huge-pages to at most {most}" if most.mib else "remove huge-pages"
        raise fault_at("huge-pages", got, remedy)


def check_reservations(fields: Mapping[str, Any], pages: Size, machine: Hardware, nics: tuple[Slot, ...]) -> None:
    """Checks that what the kubelet's configuration keeps from pods leaves them memory and CPU.

    Raises:
        PydanticCustomError: nothing is left.
    """
    left = with_kubelet(machine, allocatable(machine, nics, pages), fields)
    if fields and min(left.cpu_millicores, 1 if left.memory_mib is None else left.memory_mib) <= 0:
        got, remedy = f"the kubelet keeps all memory or CPU of {machine.instance} from pods", "lower the reservations"
        raise fault_at("kubelet", got, remedy)


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

    at_once: StrictInt | None = optional(
        "Number of nodes that an update replaces at a time. Default: 1, unless `percent-at-once` is set.",
        Change.IN_PLACE,
        ge=1,
        le=100,
    )
    percent_at_once: StrictInt | None = optional(
        "Percentage of the group's nodes that an update replaces at a time. Default: not set.",
        Change.IN_PLACE,
        ge=1,
        le=100,
    )


class Session(Choice):
    """How a user gets a shell on a node."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"ssm"})

    ssm: Nothing | None = optional(
        "Sessions of AWS Systems Manager. They need no open port and no key.", Change.IN_PLACE
    )
    key_pair: KeyPairName | None = optional(
        "SSH with this EC2 key pair. You must open port 22 yourself (`security-groups`).", Change.DRAINS
    )


PartitionName = Annotated[
    str,
    Form(
        r"[a-zA-Z0-9](-*[a-zA-Z0-9])*",
        "a valid name of a partition",
        "training, with letters, digits and dashes between them, at most 1024 characters",
        1024,
    ),
    Field(json_schema_extra={"examples": ["training"]}),
]
"""`ClusterPartitionName` in SageMaker's model."""
