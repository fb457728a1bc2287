"""An instance group of SageMaker HyperPod: its count, images, update schedule and lifecycle scripts."""

import re
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, model_validator
from pydantic_core import PydanticCustomError

from muster.config.description.base import (
    NO_BOOL_OR_FLOAT,
    Change,
    Choice,
    Nothing,
    StrictModel,
    exactly_one,
    field,
    unique_items,
)
from muster.config.description.capacity import HyperPodCapacity
from muster.config.description.node_group import (
    Effect,
    HugePages,
    InstanceType,
    KubernetesGroup,
    Purpose,
    SecurityGroups,
    Tier,
    check_huge_pages,
)
from muster.config.description.node_settings import Family
from muster.config.identifiers import (
    ImageId,
    ImageRelease,
    KmsKeyArn,
    LabelKey,
    LabelValue,
    LifecycleBucket,
    NodeLabelKey,
    ScriptName,
)
from muster.hardware.catalogue import hardware
from muster.hardware.huge_pages import default_for
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Layout, slots
from muster.hardware.zones import ZoneName
from muster.size import Size, whole_gib

MOST_INSTANCES = 6758
"""Of one group (SageMaker's model of CreateCluster)."""


class InstanceCount(StrictModel):
    """How many instances: asked for, and at least. A single number asks for all of them or none."""

    scaled_by: ClassVar[None] = None

    count: StrictInt = field("Instances asked for.", Change.IN_PLACE, ge=0, le=MOST_INSTANCES)
    minimum: StrictInt | None = field(
        "With so many the group is in service; the others may come later. Where they do not come within three hours, "
        "HyperPod takes everything back.",
        Change.IN_PLACE,
        default=None,
        ge=0,
        le=MOST_INSTANCES,
    )

    @property
    def min(self) -> int:
        """The least that runs."""
        return self.count if self.minimum is None else self.minimum

    @property
    def start(self) -> int:
        """How many are asked for."""
        return self.count

    @property
    def max(self) -> int:
        """The most that runs."""
        return self.count

    @property
    def fixed(self) -> bool:
        """Whether the number is one for good, so that Muster holds it."""
        return True


def count_from_number(value: Any) -> Any:
    """A single number as the block it stands for."""
    if isinstance(value, dict | InstanceCount):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_INSTANCES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of instances; write one up to {most}, as in 4, or {form}",
            {
                "found": value if not isinstance(value, bool) else str(value).lower(),
                "most": MOST_INSTANCES,
                "form": "{count, minimum}",
            },
        )
    return {"count": value}


class _Part(NamedTuple):
    """One of the six parts: what it is, its form, and that form in words."""

    name: str
    form: str
    words: str


_MINUTES = _Part("minutes", "[0-5]?[0-9]", "0 to 59")
_HOURS = _Part("hours", "(?:[01]?[0-9]|2[0-3])", "0 to 23")
_DAY = _Part("day", "(?:0?[1-9]|[12][0-9]|3[01])", "1 to 31, or ? beside a weekday")
_MONTH = _Part("month", r"(?:0?[1-9]|1[0-2]|\*|\*/(?:[1-9]|1[0-2]))", "1 to 12, * or */3")
_WEEKDAY = _Part(
    "weekday", "(?:MON|TUE|WED|THU|FRI|SAT|SUN|[1-7](?:#[1-5]|L)?|L)", "MON to SUN, 1 to 7, 2#1, 6L or L, or ?"
)
_YEAR = _Part("year", r"(?:20[2-9][0-9]|\*)", "2020 to 2099, or *")
_PARTS = (_MINUTES, _HOURS, _DAY, _MONTH, _WEEKDAY, _YEAR)
"""After the pattern of `ScheduledUpdateConfig.ScheduleExpression` in CloudFormation's schema of
`AWS::SageMaker::Cluster`, less the empty parts that it lets pass."""

_ANY = "?"
_WHEN = rf"(?:{_DAY.form} {_MONTH.form} \?|\? {_MONTH.form} {_WEEKDAY.form})"
"""? stands for the day or for the weekday, whichever the other leaves open."""
_FORM = rf"cron\({_MINUTES.form} {_HOURS.form} {_WHEN} {_YEAR.form}\)"

_EXAMPLE = "cron(0 3 ? * SUN *)"


def _schedule(value: str) -> str:
    """The schedule, as it is.

    Raises:
        ValueError: it is none; every wrong part is named.
    """
    if not re.fullmatch(_FORM, value):
        raise ValueError("; ".join(_words(value)))
    return value


def _words(value: str) -> tuple[str, str]:
    """What is wrong with an expression, and what to write."""
    inside = re.fullmatch(r"cron\((\S+(?: \S+)*)\)", value)
    given = inside[1].split(" ") if inside else []
    if len(given) != len(_PARTS):
        names = " ".join(part.name for part in _PARTS)
        return f"'{value}' is not a schedule", f"write cron({names}), as in {_EXAMPLE}"
    wrong = [(part, said) for part, said in zip(_PARTS, given, strict=True) if not _fits(part, said)]
    if wrong:
        said_wrongly = ", ".join(f"{part.name} {said}" for part, said in wrong)
        remedy = ", ".join(f"{part.name} {part.words}" for part, _ in wrong)
        return f"'{value}' is not a schedule: {said_wrongly}", f"write {remedy}, as in {_EXAMPLE}"
    both = "neither day nor weekday" if given[_PARTS.index(_DAY)] == _ANY else "both day and weekday"
    return f"'{value}' gives {both}", f"write ? for one of them, as in {_EXAMPLE}"


def _fits(part: _Part, said: str) -> bool:
    return bool(re.fullmatch(part.form, said)) or (part in (_DAY, _WEEKDAY) and said == _ANY)


CronSchedule = Annotated[str, AfterValidator(_schedule), Field(json_schema_extra={"pattern": f"^{_FORM}$"})]


class OwnScripts(StrictModel):
    """Scripts of your own, in S3 already."""

    @model_validator(mode="after")
    def _one_entry(self) -> Self:
        exactly_one(self, "on_create", "on_init_complete")
        return self

    at: LifecycleBucket = field(
        "The folder in S3: s3://BUCKET/FOLDER. Muster lets the instances' role read the bucket", Change.NEXT_LAUNCH
    )
    on_create: ScriptName | None = field(
        "The script that sets up a new instance, in HyperPod's place.", Change.NEXT_LAUNCH, default=None
    )
    on_init_complete: ScriptName | None = field(
        "The script that runs when HyperPod has set up a new instance itself.", Change.NEXT_LAUNCH, default=None
    )


class Lifecycle(Choice):
    """Whose scripts run on a new instance."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"default", "none"})

    default: Nothing | None = field(
        "Muster's: they set aside huge pages, and have containers on the group's `volume`. Muster makes their bucket.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    own: OwnScripts | None = field("Yours, from a bucket that exists.", Change.NEXT_LAUNCH, default=None)
    none: Nothing | None = field(
        "None: HyperPod's own set-up alone. Nothing sets aside huge pages then.", Change.NEXT_LAUNCH, default=None
    )


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


class SecondaryVolume(StrictModel):
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


class BatchSize(StrictModel):
    """How many instances an update takes at a time."""

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        exactly_one(self, "count", "percent")
        return self

    count: StrictInt | None = field("So many instances.", Change.IN_PLACE, default=None, ge=1, le=MOST_INSTANCES)
    percent: StrictInt | None = field("So many of a hundred of the group.", Change.IN_PLACE, default=None, ge=1, le=100)


class ImageUpdates(StrictModel):
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


class InstanceGroupSettings(StrictModel):
    """What only a group of HyperPod has."""

    threads_per_core: Annotated[Literal[1, 2], NO_BOOL_OR_FLOAT] = field(
        "1 leaves hyper-threading off: a p5.48xlarge then has 96 vCPUs. 2 turns it on, where the type has it.",
        Change.REFUSED,
        default=1,
    )
    deep_health_checks: Annotated[tuple[DeepHealthCheck, ...], AfterValidator(unique_items)] = field(
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
        BeforeValidator(
            count_from_number, json_schema_input_type=InstanceCount | Annotated[int, Field(ge=0, le=MOST_INSTANCES)]
        ),
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
