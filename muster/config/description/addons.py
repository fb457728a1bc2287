"""Kubernetes add-ons, by name: what may be said of each. Everything else is derived from the groups."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StrictBool, ValidationError, field_validator

from muster.config.description.addon_queues import ONLY_QUEUE, KueueQueue, QueueName, VolcanoQueue, VolcanoQueueName
from muster.config.description.base import Change, OnDestroy, StrictModel, field
from muster.config.identifiers import Namespace, StorageName

_VERSION = re.compile(r"v?\d+(\.\d+)*([-+.][0-9A-Za-z.+-]+)?")


def _version(value: str) -> str:
    if not _VERSION.fullmatch(value):
        raise ValueError(f"'{value}' is not a version; write one like v0.8.2")
    return value


AddonVersion = Annotated[str, AfterValidator(_version)]


class ManifestOptions(StrictModel):
    """What may be said of an add-on that is one manifest: there are no values to lay over."""

    version: AddonVersion | None = field("Another version than the pinned one.", Change.IN_PLACE, default=None)


class AddonOptions(ManifestOptions):
    """What may be said of an add-on that takes values: a chart, or an EKS add-on."""

    values: dict[str, Any] = field(
        "Values laid over the derived ones: the chart's, or an EKS add-on's configuration.", Change.IN_PLACE, default={}
    )


_KEPT = (
    "keep: removed here, it stays on the cluster with all objects of its kinds, but for queues that are described "
    "here. delete: it is uninstalled, and they go with it."
)


class KeptManifestOptions(ManifestOptions):
    """Of a manifest whose removal deletes CRDs, and with them every job of their kinds."""

    on_destroy: OnDestroy = field(_KEPT, Change.IN_PLACE, default=OnDestroy.KEEP)


class KeptOptions(AddonOptions):
    """Of a chart whose removal deletes CRDs, and with them every job or queue of their kinds."""

    on_destroy: OnDestroy = field(_KEPT, Change.IN_PLACE, default=OnDestroy.KEEP)


class VolcanoOptions(KeptOptions):
    """Of Volcano."""

    queues: dict[VolcanoQueueName, VolcanoQueue] = field(
        "Queues beside Volcano's own, `default`, by name.", Change.IN_PLACE, default={}
    )


class KueueOptions(KeptOptions):
    """Of Kueue."""

    queues: dict[QueueName, KueueQueue] = field(
        f"Who has which part of the cluster, by the queue's name. Where nobody says: one queue, `{ONLY_QUEUE}`, in the "
        "namespace `default`, with all of it.",
        Change.IN_PLACE,
        default={ONLY_QUEUE: KueueQueue()},
        min_length=1,
    )


Options = ManifestOptions
"""What was said of any add-on."""


class NeuronOptions(AddonOptions):
    """What may be said of the Neuron device plugin."""

    scheduler: StrictBool = field(
        "Neuron's scheduler extension, for pods that take a part of a node's devices: it gives them devices that are "
        "connected. They ask for it by schedulerName: my-scheduler.",
        Change.IN_PLACE,
        default=False,
    )


class DcgmExporterOptions(AddonOptions):
    """What may be said of NVIDIA's exporter of GPU metrics."""

    service_monitor: StrictBool = field(
        "A ServiceMonitor for it; the Prometheus operator must be there.", Change.IN_PLACE, default=False
    )


class Form(StrEnum):
    """Who installs and keeps an add-on that comes in two forms."""

    EKS = "eks"
    HELM = "helm"


_REPOSITORY = re.compile(r"(https?|oci)://[^\s/]+(/\S*)?")


def _repository(value: str) -> str:
    if not _REPOSITORY.fullmatch(value):
        raise ValueError(
            f"'{value}' is not where charts are; write the address of an index (https://...) or of a registry (oci://...)"
        )
    return value.rstrip("/")


ChartRepository = Annotated[
    str, AfterValidator(_repository), Field(json_schema_extra={"pattern": f"^{_REPOSITORY.pattern}$"})
]

_IMAGES = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?(/[a-z0-9._/-]*[a-z0-9])?")


def _registry(value: str) -> str:
    host = value.partition("/")[0]
    if not _IMAGES.fullmatch(value) or not ("." in host or ":" in host or host == "localhost"):
        raise ValueError(
            f"'{value}' is not a registry of images; write its host and perhaps a path, as in "
            "111122223333.dkr.ecr.us-west-2.amazonaws.com/mirror"
        )
    return value


ImageRegistry = Annotated[str, AfterValidator(_registry), Field(json_schema_extra={"pattern": f"^{_IMAGES.pattern}$"})]

_WORKSPACE = re.compile(r"arn:aws[a-z-]*:aps:[a-z0-9-]+:\d{12}:workspace/ws-[0-9A-Za-z-]+")


def _workspace(value: str) -> str:
    if not _WORKSPACE.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a Prometheus workspace; write its ARN, as in "
            "arn:aws:aps:us-west-2:111122223333:workspace/ws-01234567-89ab-cdef-0123-456789abcdef"
        )
    return value


PrometheusArn = Annotated[
    str, AfterValidator(_workspace), Field(json_schema_extra={"pattern": f"^{_WORKSPACE.pattern}$"})
]

_OBJECT = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")


def _storage_class(value: str) -> str:
    if not _OBJECT.fullmatch(value) or len(value) > _LONGEST_LABEL:
        raise ValueError(
            f"'{value}' is not a StorageClass's name; use lower-case letters, digits and dashes, {_LONGEST_LABEL} at "
            "most"
        )
    return value


_LONGEST_LABEL = 63

StorageClassName = Annotated[str, AfterValidator(_storage_class)]

_RELEASE = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
_LONGEST_RELEASE = 53
"""Helm's own limit: names of objects are made of it."""


def _release(value: str) -> str:
    if not _RELEASE.fullmatch(value) or len(value) > _LONGEST_RELEASE:
        raise ValueError(
            f"'{value}' is not a release's name; use lower-case letters, digits and dashes, {_LONGEST_RELEASE} at most"
        )
    return value


ReleaseName = Annotated[str, AfterValidator(_release)]


class StorageClassLike(StrictModel):
    """A StorageClass: each claim that asks for it gets a new file system, which goes with the claim."""

    like: StorageName = field(
        "The file system of this stack after which they are made: its subnet, security group, type and throughput; "
        "their size the claims say.",
        Change.REPLACES,
    )


class FsxCsiDriverOptions(AddonOptions):
    """What may be said of the FSx CSI driver."""

    from_: Form = field(
        "eks: the EKS add-on. helm: the project's own chart. The one cannot take over from the other in one go.",
        Change.REPLACES,
        default=Form.EKS,
        alias="from",
    )
    namespace: Namespace = field(
        "The namespace that has a claim for each file system of the stack, by its name. Made if it is not there, and "
        "it stays; so not one that an add-on makes: kubeflow is the training operator's.",
        Change.REPLACES,
        default="default",
    )
    storage_classes: dict[StorageClassName, StorageClassLike] = field(
        "StorageClasses by name. Without one nothing makes file systems but this description.",
        Change.REPLACES,
        default={},
    )


class HyperPodOptions(KeptOptions):
    """What may be said of HyperPod's own chart."""

    repository: ChartRepository | None = field(
        "Where your package of the chart is, for AWS publishes none: an index (https://...) or a registry (oci://...). "
        "Not needed with a chart-mirror that has it.",
        Change.IN_PLACE,
        default=None,
    )


class HyperPodObservabilityOptions(AddonOptions):
    """What may be said of HyperPod's observability add-on."""

    # Nobody prints one that could be pinned.
    version: AddonVersion = field(
        "Its version; `aws eks describe-addon-versions --addon-name amazon-sagemaker-hyperpod-observability` says.",
        Change.IN_PLACE,
    )
    workspace: PrometheusArn | None = field(
        "The Amazon Managed Prometheus workspace that it writes to. Needed where it is installed.",
        Change.IN_PLACE,
        default=None,
    )


class OtherChart(StrictModel):
    """A Helm chart that is none of Muster's add-ons. It is installed with these values and no others."""

    repository: ChartRepository = field("The address of its index, or of the registry that has it.", Change.IN_PLACE)
    chart: str = field("The chart's name there.", Change.IN_PLACE, min_length=1)
    version: AddonVersion = field("The chart's version.", Change.IN_PLACE)
    namespace: Namespace = field("Where it goes; made if it is not there.", Change.REPLACES)
    values: dict[str, Any] = field("Its values.", Change.IN_PLACE, default={})
    before_addons: StrictBool = field(
        "Whether it is installed before Muster's add-ons that wait for nodes, as a chart of CRDs must be whose kinds "
        "they use. Without it: after all of them.",
        Change.NOTHING,
        default=False,
    )


class Addons(StrictModel):
    """Kubernetes add-ons to install, by name."""

    nvidia_device_plugin: AddonOptions | None = field(
        "Offers nvidia.com/gpu. Not for Bottlerocket, which has it built in.", Change.IN_PLACE, default=None
    )
    neuron_device_plugin: NeuronOptions | None = field("Offers aws.amazon.com/neuron.", Change.IN_PLACE, default=None)
    efa_device_plugin: AddonOptions | None = field("Offers vpc.amazonaws.com/efa.", Change.IN_PLACE, default=None)
    mpi_operator: KeptManifestOptions | None = field(
        "Runs MPIJob (kubeflow.org/v2beta1).", Change.IN_PLACE, default=None
    )
    training_operator: KeptManifestOptions | None = field(
        "Runs PyTorchJob and the other jobs of kubeflow.org/v1, but for MPIJob.", Change.IN_PLACE, default=None
    )
    jobset: AddonOptions | None = field(
        "Runs JobSet (jobset.x-k8s.io). Added to a deployed `trainer`, or removed beside it, Helm refuses it: both own "
        "objects of the same names. Write trainer: {values: {jobset: {install: false}}} without `jobset`, and `up`; "
        "then remove these values, with or without `jobset`, and `up` again.",
        Change.IN_PLACE,
        default=None,
    )
    trainer: KeptOptions | None = field(
        "Kubeflow Trainer: runs TrainJob (trainer.kubeflow.org). Brings a JobSet along where `jobset` is not chosen; "
        "to add or remove `jobset` later takes two `up`s, as said there.",
        Change.IN_PLACE,
        default=None,
    )
    volcano: VolcanoOptions | None = field(
        "Schedules gangs: Job (batch.volcano.sh) and its queues; what TorchX runs on.", Change.IN_PLACE, default=None
    )
    kuberay_operator: AddonOptions | None = field(
        "Runs RayCluster, RayJob and RayService (ray.io).", Change.IN_PLACE, default=None
    )
    etcd: ManifestOptions | None = field(
        "An etcd with the v2 API, for TorchX components that meet by `etcd`; by `c10d`, its default, they need none.",
        Change.IN_PLACE,
        default=None,
    )
    kueue: KueueOptions | None = field("Lets jobs in by quota, in queues.", Change.IN_PLACE, default=None)
    fsx_csi_driver: FsxCsiDriverOptions | None = field(
        "Mounts the stack's file systems into pods: a claim for each, by its name.", Change.IN_PLACE, default=None
    )
    hyperpod: HyperPodOptions | None = field(
        "What SageMaker HyperPod wants on the cluster before it comes: AWS's chart, without what Muster installs.",
        Change.IN_PLACE,
        default=None,
    )
    hyperpod_task_governance: KeptOptions | None = field(
        "HyperPod's quotas between teams: an EKS add-on that brings Kueue along.", Change.IN_PLACE, default=None
    )
    hyperpod_training_operator: KeptOptions | None = field(
        "Runs HyperPodPyTorchJob (sagemaker.amazonaws.com/v1): an EKS add-on.", Change.IN_PLACE, default=None
    )
    hyperpod_observability: HyperPodObservabilityOptions | None = field(
        "HyperPod's metrics to Amazon Managed Prometheus: an EKS add-on.", Change.IN_PLACE, default=None
    )
    dcgm_exporter: DcgmExporterOptions | None = field("GPU metrics for Prometheus.", Change.IN_PLACE, default=None)
    cloudwatch_observability: AddonOptions | None = field(
        "CloudWatch Container Insights, with metrics of GPUs and Neuron devices: an EKS add-on.",
        Change.IN_PLACE,
        default=None,
    )
    eks_node_monitoring_agent: AddonOptions | None = field(
        "Sees faults of nodes and their GPUs, on which `node-repair` acts: an EKS add-on.",
        Change.IN_PLACE,
        default=None,
    )
    metrics_server: AddonOptions | None = field(
        "CPU and memory for `kubectl top` and autoscalers: an EKS add-on.", Change.IN_PLACE, default=None
    )
    cert_manager: KeptOptions | None = field("Issues certificates: an EKS add-on.", Change.IN_PLACE, default=None)
    charts: dict[ReleaseName, OtherChart] = field(
        "Other Helm charts, by the name of their release; one that is renamed is installed anew.",
        Change.REPLACES,
        default={},
    )

    @field_validator("charts")
    @classmethod
    def _called_otherwise(cls, charts: dict[str, OtherChart]) -> dict[str, OtherChart]:
        """A release and an add-on of one name would be one resource."""
        for name in sorted({info.alias or name for name, info in cls.model_fields.items()} & charts.keys()):
            raise ValueError(f"'{name}' is one of Muster's add-ons; give the release another name, as in our-{name}")
        return charts

    @property
    def chosen(self) -> Mapping[str, Options]:
        """Name as the user writes it -> options, in the model's order; without other charts."""
        named = ((info.alias or name, getattr(self, name)) for name, info in type(self).model_fields.items())
        return {name: options for name, options in named if isinstance(options, ManifestOptions)}


class KnownOptions(ManifestOptions):
    """Of an add-on that another stack installs, with settings that it cannot do without and nobody here knows."""


class KnownChart(OtherChart):
    """A chart that another stack installs, with values that nobody here knows."""

    repository: str = field("Nobody here knows where it is from.", Change.IN_PLACE, default="")


def options_of(versions: Mapping[str, str]) -> Mapping[str, Options]:
    """What is said of add-ons of which only the versions are known; names that are none are passed over."""
    names = [info.alias or name for name, info in Addons.model_fields.items() if name != "charts"]
    return {name: _known(name, versions[name]) for name in names if name in versions}


def _known(name: str, version: str) -> Options:
    try:
        return Addons.model_validate({name: {"version": version}}).chosen[name]
    except ValidationError:
        return KnownOptions(version=version)


def of_options(chosen: Mapping[str, Options]) -> "Addons":
    """The block that says this of add-ons."""
    fields = {info.alias or name: name for name, info in Addons.model_fields.items()}
    return Addons().model_copy(update={fields[name]: options for name, options in chosen.items()})


def in_order(chosen: Mapping[str, Options]) -> Mapping[str, Options]:
    """Add-ons in the model's order."""
    names = [info.alias or name for name, info in Addons.model_fields.items()]
    return {name: chosen[name] for name in names if name in chosen}
