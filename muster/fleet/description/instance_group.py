"""An instance group of SageMaker HyperPod: a group of nodes whose machines SageMaker runs."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, model_validator

from muster.fleet.description.capacity import HyperPodCapacity
from muster.fleet.description.cron import CronSchedule
from muster.fleet.description.group_core import (
    Effect,
    HugePages,
    InstanceType,
    KubernetesGroup,
    Purpose,
    SecurityGroups,
    Tier,
    check_huge_pages,
)
from muster.fleet.description.identifiers import (
    ImageId,
    ImageRelease,
    KmsKeyArn,
    LabelKey,
    LabelValue,
    NodeLabelKey,
)
from muster.fleet.description.image import Family
from muster.fleet.description.instance_count import MOST_INSTANCES, InstanceCount, counted
from muster.fleet.description.lifecycle import Lifecycle
from muster.fleet.description.once import each_once
from muster.fleet.description.part import WHOLE, Change, Choice, Nothing, Part, exactly_one, field
from muster.fleet.hardware import hardware
from muster.fleet.hardware.hyperpod_types import ML
from muster.fleet.huge_pages import default_for
from muster.fleet.interfaces import Layout, slots
from muster.fleet.quantity import Size, whole_gib
from muster.fleet.zones import ZoneName


class DeepHealthCheck(StrEnum):
    """What HyperPod tries on a new instance before any job runs on it: two hours, more or less."""

    INSTANCE_STRESS = "instance-stress"
    INSTANCE_CONNECTIVITY = "instance-connectivity"

    @property
    def aws(self) -> str:
        """The API's word: ``InstanceStress``."""
        return "".join(word.capitalize() for word in self.value.split("-"))


class Interface(StrEnum):
    """The kind of interfaces that an instance with EFA has (`NetworkInterface.InterfaceType`)."""

    EFA = "efa"
    EFA_ONLY = "efa-only"


_LARGEST = Size(16384 * 1024)
"""EbsVolumeConfig of SageMaker's model."""


def _volume(size: Size) -> Size:
    if not Size(1024) <= size <= _LARGEST:
        raise ValueError(f"{size} is not a volume of HyperPod; give {Size(1024)} to {_LARGEST}")
    return size


class SecondaryVolume(Part):
    """The further EBS volume of each instance, mounted at /opt/sagemaker."""

    size: Annotated[Size, AfterValidator(whole_gib), AfterValidator(_volume)] = field(
        "Its size.", Change.REFUSED, default=Size(500 * 1024)
    )
    key: KmsKeyArn | None = field("Your own KMS key; AWS's without it.", Change.REFUSED, default=None)


class HyperPodImage(Choice):
    """What an instance boots from, where it is not HyperPod's newest image."""

    release: ImageRelease | None = field("A release of HyperPod's own image.", Change.NEXT_LAUNCH, default=None)
    id: ImageId | None = field("An image of your own, built on HyperPod's.", Change.NEXT_LAUNCH, default=None)


class Patching(StrEnum):
    """When HyperPod puts a newer image on instances by itself (`AutoPatchConfig.PatchingStrategy`)."""

    WHEN_IDLE = "when-idle"
    """Each instance when no job is on it."""
    WHEN_ALL_IDLE = "when-all-idle"
    """All of them when no job is on any."""

    @property
    def aws(self) -> str:
        """The API's word: ``WhenIdle``."""
        return "".join(word.capitalize() for word in self.value.split("-"))


class BatchSize(Part):
    """How many instances an update takes at a time."""

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        exactly_one(self, "count", "percent")
        return self

    count: StrictInt | None = field("So many instances.", Change.IN_PLACE, default=None, ge=1, le=MOST_INSTANCES)
    percent: StrictInt | None = field("So many of a hundred of the group.", Change.IN_PLACE, default=None, ge=1, le=100)


class ImageUpdates(Part):
    """How newer images of HyperPod reach the instances."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        exactly_one(self, "schedule", "patching")
        return self

    @model_validator(mode="after")
    def _batches_by_schedule(self) -> Self:
        given = {"at-once": self.at_once, "wait-seconds": self.wait_seconds}
        batches = [key for key, value in given.items() if value is not None]
        if self.patching and batches:
            raise ValueError(
                f"{' and '.join(batches)} {'is' if len(batches) == 1 else 'are'} given beside patching, which updates "
                "no batches; keep patching alone, or give a schedule in its place"
            )
        return self

    schedule: CronSchedule | None = field(
        "When: cron(minutes hours day month weekday year), UTC.", Change.IN_PLACE, default=None
    )
    patching: Patching | None = field(
        "when-idle (each instance when no job is on it) or when-all-idle.", Change.IN_PLACE, default=None
    )
    at_once: BatchSize | None = field(
        "How many at a time, of a schedule; all without it.", Change.IN_PLACE, default=None
    )
    wait_seconds: StrictInt | None = field(
        "Seconds between one batch and the next, of a schedule.", Change.IN_PLACE, default=None, ge=0, le=3600
    )


class InstanceGroupSettings(Part):
    """What only a group of HyperPod has."""

    threads_per_core: Annotated[Literal[1, 2], WHOLE] = field(
        "1 leaves hyper-threading off: a p5.48xlarge then has 96 vCPUs. 2 turns it on, where the type has it.",
        Change.REFUSED,
        default=1,
    )
    deep_health_checks: Annotated[tuple[DeepHealthCheck, ...], AfterValidator(each_once)] = field(
        "instance-stress, instance-connectivity: every new instance is tried for an hour or two before jobs run on it.",
        Change.IN_PLACE,
        default=(),
    )
    volume: SecondaryVolume = field(
        "The further EBS volume of each instance.", Change.REFUSED, default=SecondaryVolume()
    )
    root_volume_key: KmsKeyArn | None = field(
        "Your own KMS key for the root volume, whose size is HyperPod's own; AWS's key without it.",
        Change.REFUSED,
        default=None,
    )
    lifecycle: Lifecycle | None = field(
        "Whose scripts run on its new instances; the cluster's without it.", Change.NEXT_LAUNCH, default=None
    )
    image: HyperPodImage | None = field(
        "{release: ...} or {id: ...}; the newest without it. Nodes that run: `aws sagemaker update-cluster-software`.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    updates: ImageUpdates | None = field(
        "How newer images reach it; only by `aws sagemaker update-cluster-software` without it.",
        Change.IN_PLACE,
        default=None,
    )
    interface: Interface | None = field(
        "efa or efa-only, on types that have EFA; efa without it.",
        Change.REFUSED,
        default=None,
    )


class InstanceGroup(KubernetesGroup):
    """One instance group of a HyperPod cluster. Its type is named as EC2 does: Muster adds `ml.`.

    Of a group that exists, AWS's guide has UpdateCluster keep the type and the threads ("Updating SageMaker HyperPod
    cluster configuration") and the keys ("Customer managed AWS KMS key encryption"), and the network is for good. It
    has it change the numbers, the lifecycle scripts, the deep health checks, the training plan, labels and taints.
    """

    subnets: ClassVar[Tier] = Tier.PRIVATE
    self_managed: ClassVar[bool] = False

    @model_validator(mode="after")
    def _fits_its_hardware(self) -> Self:
        machine = hardware(self.instance)
        if self.hyperpod.interface and not machine.max_efa:
            raise ValueError(f"{self.instance} has no EFA; leave 'hyperpod.interface' out")
        nics = slots(machine, self.layout)
        pages = default_for(sum(slot.is_efa for slot in nics)) if self.huge_pages is None else self.huge_pages
        check_huge_pages(pages, machine, nics)
        return self

    purpose: Purpose = field("training, inference or system.", Change.IN_PLACE, alias="for")
    instance: InstanceType = field("An EC2 instance type.", Change.REFUSED)
    zone: ZoneName | None = field(
        "The one zone its nodes are in. Without it: its capacity's, or the first two with a subnet.",
        Change.REFUSED,
        default=None,
    )
    security_groups: SecurityGroups = field(
        "Existing security groups to attach beside Muster's own, to every interface.", Change.REFUSED, default=()
    )
    huge_pages: HugePages | None = field(
        "Memory set aside as 2 MiB huge pages on each node. Without it: 10256MiB with EFA and Muster's lifecycle "
        "scripts, none otherwise. Scripts of your own set it aside themselves.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    labels: dict[NodeLabelKey, LabelValue] = field(
        "Labels beside Muster's and HyperPod's own.", Change.IN_PLACE, default={}
    )
    taints: dict[LabelKey, Effect] = field(
        "Its taints: key -> effect. Muster derives none on HyperPod.", Change.IN_PLACE, default={}
    )
    nodes: Annotated[
        InstanceCount,
        BeforeValidator(counted, json_schema_input_type=InstanceCount | Annotated[int, Field(ge=0, le=MOST_INSTANCES)]),
    ] = field("A number, or {count, minimum}.", Change.IN_PLACE)
    capacity: HyperPodCapacity = field(
        "Where instances come from: on-demand (also without it), spot, or {training-plan: ...}.",
        Change.REFUSED,
        default=HyperPodCapacity(**{"on-demand": Nothing()}),
    )
    hyperpod: InstanceGroupSettings = field("What only HyperPod has.", Change.REFUSED, default=InstanceGroupSettings())

    @property
    def family(self) -> Family:
        """The operating system of its nodes: HyperPod's images for EKS are made from Amazon Linux."""
        return Family.AL2023

    @property
    def instance_type(self) -> str:
        """SageMaker's name of its type: ``ml.p5.48xlarge``. The nodes' label has it, too."""
        return f"{ML}{self.instance}"

    @property
    def nodes_now(self) -> InstanceCount:
        """The numbers as AWS is told them."""
        return self.nodes

    @property
    def layout(self) -> Layout:
        """HyperPod attaches EFA to every type that has it: on the primary interface too, unless told otherwise."""
        return Layout.AWS if self.hyperpod.interface is Interface.EFA_ONLY else Layout.CLASSIC
