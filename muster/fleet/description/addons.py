"""Kubernetes add-ons, by name: what may be said of each. Everything else is derived from the groups."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field, field_validator

from muster.fleet.description.identifiers import Namespace
from muster.fleet.description.on_destroy import OnDestroy
from muster.fleet.description.part import Change, Part, field
from muster.fleet.description.queues import ONLY_QUEUE, KueueQueue, QueueName, VolcanoQueue, VolcanoQueueName

_VERSION = re.compile(r"v?\d+(\.\d+)*([-+.][0-9A-Za-z.+-]+)?")


def _version(value: str) -> str:
    if not _VERSION.fullmatch(value):
        raise ValueError(f"'{value}' is not a version; write one like v0.8.2")
    return value


AddonVersion = Annotated[str, AfterValidator(_version)]


class ManifestOptions(Part):
    """What may be said of an add-on that is one manifest: there are no values to lay over."""

    version: AddonVersion | None = field("Another version than the pinned one.", Change.IN_PLACE, default=None)


class AddonOptions(ManifestOptions):
    """What may be said of an add-on that takes values: a chart, or an EKS add-on."""

    values: dict[str, Any] = field(
        "Values laid over the derived ones: the chart's, or an EKS add-on's configuration.", Change.IN_PLACE, default={}
    )


_KEPT = (
    "keep: removed here, it stays on the cluster with all jobs or queues it defines. delete: it is uninstalled, and "
    "they go with it."
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


class OtherChart(Part):
    """A Helm chart that is none of Muster's add-ons. It is installed after them, with these values and no others."""

    repository: ChartRepository = field("The address of its index, or of the registry that has it.", Change.IN_PLACE)
    chart: str = field("The chart's name there.", Change.IN_PLACE, min_length=1)
    version: AddonVersion = field("The chart's version.", Change.IN_PLACE)
    namespace: Namespace = field("Where it goes; made if it is not there.", Change.REPLACES)
    values: dict[str, Any] = field("Its values.", Change.IN_PLACE, default={})


class Addons(Part):
    """Kubernetes add-ons to install, by name."""

    nvidia_device_plugin: AddonOptions | None = field(
        "Offers nvidia.com/gpu. Not for Bottlerocket, which has it built in.", Change.IN_PLACE, default=None
    )
    neuron_device_plugin: AddonOptions | None = field("Offers aws.amazon.com/neuron.", Change.IN_PLACE, default=None)
    efa_device_plugin: AddonOptions | None = field("Offers vpc.amazonaws.com/efa.", Change.IN_PLACE, default=None)
    mpi_operator: KeptManifestOptions | None = field(
        "Runs MPIJob (kubeflow.org/v2beta1).", Change.IN_PLACE, default=None
    )
    training_operator: KeptManifestOptions | None = field(
        "Runs PyTorchJob and the other jobs of kubeflow.org/v1, but for MPIJob.", Change.IN_PLACE, default=None
    )
    jobset: AddonOptions | None = field("Runs JobSet (jobset.x-k8s.io).", Change.IN_PLACE, default=None)
    trainer: KeptOptions | None = field(
        "Kubeflow Trainer: runs TrainJob (trainer.kubeflow.org). Brings a JobSet along where `jobset` is not chosen.",
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


def options_of(versions: Mapping[str, str]) -> Mapping[str, Options]:
    """What is said of add-ons of which only the versions are known; names that are none are passed over."""
    known = {info.alias or name for name, info in Addons.model_fields.items()} - {"charts"}
    said = {name: {"version": version} for name, version in versions.items() if name in known}
    return Addons.model_validate(said).chosen


def in_order(chosen: Mapping[str, Options]) -> Mapping[str, Options]:
    """Add-ons in the model's order."""
    names = [info.alias or name for name, info in Addons.model_fields.items()]
    return {name: chosen[name] for name in names if name in chosen}
