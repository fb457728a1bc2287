"""What only an instance group of SageMaker HyperPod has: image, update schedule, lifecycle scripts, health checks."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, StrictInt, model_validator

from muster.config.description.base import (
    HYPERPOD,
    HYPERPOD_SLURM,
    INSTANCE_GROUP,
    NO_BOOL_OR_FLOAT,
    Change,
    Choice,
    Exclusive,
    Form,
    Nothing,
    StrictModel,
    key,
    optional,
    unique_items,
)
from muster.config.description.node_settings import MOST_INSTANCES
from muster.config.identifiers import ImageId, ImageRelease, KmsKeyArn, LifecycleBucket, ScriptName
from muster.size import Size, whole_gib_within

_MINUTES = "[0-5]?[0-9]"
_HOURS = "(?:[01]?[0-9]|2[0-3])"
_DAY = "(?:0?[1-9]|[12][0-9]|3[01])"
_MONTH = r"(?:0?[1-9]|1[0-2]|\*|\*/(?:[1-9]|1[0-2]))"
_WEEKDAY = "(?:MON|TUE|WED|THU|FRI|SAT|SUN|[1-7](?:#[1-5]|L)?|L)"
_YEAR = r"(?:20[2-9][0-9]|\*)"
_FORM = rf"cron\({_MINUTES} {_HOURS} (?:{_DAY} {_MONTH} \?|\? {_MONTH} {_WEEKDAY}) {_YEAR}\)"
"""From the pattern of `ScheduledUpdateConfig.ScheduleExpression` in CloudFormation's schema of
`AWS::SageMaker::Cluster`, without the empty parts that the pattern allows. Either the day or the weekday is ?; the
other has a value."""


CronSchedule = Annotated[
    str,
    Form(
        _FORM,
        "a schedule",
        "cron(0 3 ? * SUN *): cron(minutes hours day month weekday year) with ? for the day or the weekday",
    ),
]


class OwnScripts(Exclusive):
    """Your own scripts, which are already in S3."""

    one_of: ClassVar = ("on_create", "on_init_complete")

    at: LifecycleBucket = key(
        "Folder of the scripts in S3: s3://BUCKET/FOLDER. Muster allows the role of the instances to read the bucket.",
        Change.NEXT_LAUNCH,
        sent=f"{INSTANCE_GROUP}.LifeCycleConfig.SourceS3Uri",
    )
    on_create: ScriptName | None = optional(
        "File name of a script that sets up a new instance, instead of HyperPod.", Change.NEXT_LAUNCH
    )
    on_init_complete: ScriptName | None = optional(
        "File name of a script that runs after HyperPod has set up a new instance.", Change.NEXT_LAUNCH
    )


class Lifecycle(Choice):
    """Which lifecycle scripts run on a new instance."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"default", "none"})

    default: Nothing | None = optional(
        "Muster's scripts: they allocate huge pages, and put containers on the `volume` of the group. Muster "
        "creates their bucket.",
        {HYPERPOD: Change.NEXT_LAUNCH},
    )
    own: OwnScripts | None = optional(
        "Your own scripts, from an existing bucket. With Slurm, on-init-complete runs after HyperPod's own "
        "setup, and on-create replaces it: it must install the software, mount file systems and start Slurm.",
        {HYPERPOD: Change.NEXT_LAUNCH, HYPERPOD_SLURM: Change.NEXT_LAUNCH},
    )
    none: Nothing | None = optional(
        "No scripts: only HyperPod's own setup, which does not allocate huge pages. With Slurm, it sets up "
        "Slurm, Docker, Enroot, Pyxis, accounting and file systems from its image.",
        {HYPERPOD: Change.NEXT_LAUNCH, HYPERPOD_SLURM: Change.NEXT_LAUNCH},
    )


class DeepHealthCheck(StrEnum):
    """What HyperPod tests on a new instance before a job runs on it. The tests take about two hours."""

    INSTANCE_STRESS = "instance-stress"
    INSTANCE_CONNECTIVITY = "instance-connectivity"

    @property
    def aws(self) -> str:
        """The value in the API: ``InstanceStress``."""
        return "".join(word.capitalize() for word in self.value.split("-"))


class Interface(StrEnum):
    """The type of the EFA interfaces of an instance (`NetworkInterface.InterfaceType`)."""

    EFA = "efa"
    EFA_ONLY = "efa-only"


VolumeSize = Annotated[Size, AfterValidator(whole_gib_within(Size(1024), Size(16384 * 1024), "a volume of HyperPod"))]
"""From `EbsVolumeConfig` in SageMaker's model."""


class SecondaryVolume(StrictModel):
    """The additional EBS volume of each instance, mounted at /opt/sagemaker."""

    size: VolumeSize = key(
        "Size of the volume, in whole GiB. Default: 500GiB.", Change.REFUSED, default=Size(500 * 1024)
    )
    kms_key: KmsKeyArn | None = optional(
        "ARN of a customer managed KMS key for the volume. Default: a key of AWS.", Change.REFUSED, alias="key"
    )


class HyperPodImage(Choice):
    """The image of the instances, if it is not HyperPod's newest."""

    release: ImageRelease | None = optional("Release of HyperPod's image, as in 1.2.3.", Change.NEXT_LAUNCH)
    id: ImageId | None = optional("Id of a custom AMI that is built on HyperPod's image.", Change.NEXT_LAUNCH)


class Patching(StrEnum):
    """When HyperPod updates instances to a newer image by itself (`AutoPatchConfig.PatchingStrategy`)."""

    WHEN_IDLE = "when-idle"
    """It updates each instance when no job runs on it."""
    WHEN_ALL_IDLE = "when-all-idle"
    """It updates all instances when no job runs on any of them."""

    @property
    def aws(self) -> str:
        """The value in the API: ``WhenIdle``."""
        return "".join(word.capitalize() for word in self.value.split("-"))


class BatchSize(Exclusive):
    """How many instances an update replaces at a time."""

    one_of: ClassVar = ("count", "percent")

    count: StrictInt | None = optional("Number of instances.", Change.IN_PLACE, ge=1, le=MOST_INSTANCES)
    percent: StrictInt | None = optional("Percentage of the instances of the group.", Change.IN_PLACE, ge=1, le=100)


class ImageUpdates(Exclusive):
    """How HyperPod updates instances to newer images."""

    one_of: ClassVar = ("schedule", "patching")

    @model_validator(mode="after")
    def _batches_by_schedule(self) -> Self:
        given = {"at-once": self.at_once, "wait-seconds": self.wait_seconds}
        batches = [key for key, value in given.items() if value is not None]
        if self.patching and batches:
            raise ValueError(
                f"{' and '.join(batches)} {'applies' if len(batches) == 1 else 'apply'} to a schedule, not to "
                f"patching; remove {' and '.join(batches)}, or write a schedule instead of patching"
            )
        return self

    schedule: CronSchedule | None = optional(
        "Schedule of updates, in UTC: cron(minutes hours day month weekday year), as in cron(0 3 ? * SUN *).",
        Change.IN_PLACE,
    )
    patching: Patching | None = optional(
        "When HyperPod updates: when-idle (each instance when no job runs on it) or when-all-idle (all instances "
        "when no job runs on any).",
        Change.IN_PLACE,
    )
    at_once: BatchSize | None = optional(
        "Instances to update at a time, with a schedule. Default: all.", Change.IN_PLACE
    )
    wait_seconds: StrictInt | None = optional(
        "Seconds between one batch and the next, with a schedule: 0 to 3600. Default: not set.",
        Change.IN_PLACE,
        ge=0,
        le=3600,
    )


class InstanceSettings(StrictModel):
    """Settings that only an instance group of HyperPod has."""

    threads_per_core: Annotated[Literal[1, 2], NO_BOOL_OR_FLOAT] = key(
        "Threads per CPU core. 1 turns hyper-threading off: a p5.48xlarge then has 96 vCPUs. 2 turns it on, if the "
        "type supports it. Default: 1.",
        Change.REFUSED,
        default=1,
    )
    deep_health_checks: Annotated[tuple[DeepHealthCheck, ...], AfterValidator(unique_items)] = key(
        "Deep health checks: instance-stress, instance-connectivity. HyperPod tests every new instance for one to "
        "two hours before jobs run on it. Default: none.",
        Change.IN_PLACE,
        default=(),
    )
    volume: SecondaryVolume = key(
        "Additional EBS volume of each instance. Default: 500GiB.",
        Change.REFUSED,
        default=SecondaryVolume.model_construct(),
    )
    root_volume_key: KmsKeyArn | None = optional(
        "ARN of a customer managed KMS key for the root volume, whose size HyperPod sets. Default: a key of AWS.",
        Change.REFUSED,
    )
    image: HyperPodImage | None = optional(
        "Image of new instances: {release: ...} or {id: ...}. To update running nodes, use `aws sagemaker "
        "update-cluster-software`. Default: the newest image of HyperPod.",
        Change.NEXT_LAUNCH,
    )
    updates: ImageUpdates | None = optional(
        "How HyperPod updates the instances to newer images. Default: only when you run `aws sagemaker "
        "update-cluster-software`.",
        Change.IN_PLACE,
    )
    interface: Interface | None = optional(
        "Type of the EFA interfaces: efa or efa-only, on instance types with EFA. Default: efa.", Change.REFUSED
    )
    lifecycle: Lifecycle | None = optional(
        "Lifecycle scripts that run on new instances of the group. Default: those of the cluster.", Change.NEXT_LAUNCH
    )
