"""Kubernetes add-ons, by name: the settings of each. Muster derives all else from the groups."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    ModelWrapValidatorHandler,
    StrictBool,
    ValidationError,
    create_model,
    field_validator,
    model_validator,
)

from muster.addon_sheets import ADDONS, SHEETS, by_pulumi
from muster.config.description.addon_queues import ONLY_QUEUE, KueueQueue, QueueName, VolcanoQueue, VolcanoQueueName
from muster.config.description.base import Change, Form, OnDestroy, StrictModel, fault_at, key, optional, unique_items
from muster.config.description.placed_chart import PlacedChart
from muster.config.identifiers import (
    BucketName,
    GroupName,
    Namespace,
    OidcProviderArn,
    PolicyArn,
    PrometheusArn,
)

AddonVersion = Annotated[str, Form(r"v?\d+([-+.][0-9A-Za-z.+-]+)?", "a version", "v0.8.2", drawn=False)]


class Installer(StrEnum):
    """What applies the charts and manifests of add-ons."""

    PULUMI = "pulumi"
    ARGO_CD = "argo-cd"
    FLUX = "flux"
    HELMFILE = "helmfile"


class Installed(StrictModel):
    """What is installed by Pulumi, or by a GitOps tool."""

    installed_by: Installer | None = optional(
        "What installs it: `pulumi`, or `argo-cd`, `flux` or `helmfile`, which apply the files that `muster addons "
        "export` writes. Default: `addons.installed-by`.",
        Change.REPLACES,
    )

    @property
    def controller(self) -> str | None:
        """The tool that applies it instead of Pulumi."""
        return None if self.installed_by in {None, Installer.PULUMI} else str(self.installed_by)


class ManifestOptions(Installed):
    """Settings of an add-on that is one manifest, and thus has no values."""

    version: AddonVersion | None = optional(
        "Version to install. Default: the version that Muster pins.", Change.IN_PLACE
    )


class AddonOptions(ManifestOptions):
    """Settings of an add-on with values: a Helm chart, or an EKS add-on."""

    values: dict[str, Any] = key(
        "Values that override those that Muster derives: of the Helm chart, or of the configuration of the EKS "
        "add-on. Default: none.",
        Change.IN_PLACE,
        default={},
    )


class EksAddonSettings(StrictModel):
    """Settings of an EKS add-on for which Muster has no key of its own."""

    version: AddonVersion | None = optional(
        "Version to install. Default: the version that Muster pins, otherwise EKS's choice.", Change.IN_PLACE
    )
    values: dict[str, Any] = key("Its `configurationValues`. Default: none.", Change.IN_PLACE, default={})


_KEPT = (
    "keep: if you remove the add-on here, it stays on the cluster with all objects of its kinds, except for queues "
    "that are described here. delete: Muster uninstalls it, and its objects with it. Default: keep."
)


class KeptManifestOptions(ManifestOptions):
    """Settings of a manifest whose removal deletes CRDs, and with them every job of their kinds."""

    on_destroy: OnDestroy = key(_KEPT, Change.IN_PLACE, default=OnDestroy.KEEP)


class KeptOptions(AddonOptions):
    """Settings of a chart whose removal deletes CRDs, and with them every job or queue of their kinds."""

    on_destroy: OnDestroy = key(_KEPT, Change.IN_PLACE, default=OnDestroy.KEEP)


class VolcanoOptions(KeptOptions):
    """Settings of Volcano."""

    queues: dict[VolcanoQueueName, VolcanoQueue] = key(
        "Queues by name, in addition to `default`, which Volcano creates. Default: none.", Change.IN_PLACE, default={}
    )


class KueueOptions(KeptOptions):
    """Settings of Kueue."""

    queues: dict[QueueName, KueueQueue] = key(
        f"Queues by name, each with its part of the cluster. Default: one queue, `{ONLY_QUEUE}`, in the namespace "
        "`default`, with the whole cluster.",
        Change.IN_PLACE,
        default={ONLY_QUEUE: KueueQueue.model_construct()},
        min_length=1,
    )


Options = ManifestOptions
"""The settings of any add-on."""


class DraDriverOptions(AddonOptions):
    """Settings of a DRA driver."""

    groups: list[GroupName] | None = optional(
        "Names of the groups whose devices it offers. The device plugin, if there is one, offers those of the other "
        "groups. Default: all groups that have its devices, except those whose image includes the device plugin.",
        Change.IN_PLACE,
        min_length=1,
    )


class DcgmExporterOptions(AddonOptions):
    """Settings of NVIDIA's exporter of GPU metrics."""

    service_monitor: StrictBool = key(
        "Whether to create a ServiceMonitor for it. The Prometheus operator must be on the cluster. Default: false.",
        Change.IN_PLACE,
        default=False,
    )


ChartRepository = Annotated[
    str,
    Form(
        r"(https?|oci)://[^\s/?@]+(/[^\s?]*)?",
        "the address of a chart repository",
        "https://charts.example.com (an index) or oci://registry.example.com/charts, without user and query",
    ),
    AfterValidator(lambda value: value.rstrip("/")),
]


def _has_host(value: str) -> str:
    host = value.partition("/")[0]
    if not ("." in host or ":" in host or host == "localhost"):
        raise ValueError(f"'{value}' has no host; write one like {_REGISTRY}")
    return value


_REGISTRY = "111122223333.dkr.ecr.us-west-2.amazonaws.com/mirror"
ImageRegistry = Annotated[
    str,
    Form(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?(/[a-z0-9._/-]*[a-z0-9])?", "an image registry", _REGISTRY),
    AfterValidator(_has_host),
]
ReleaseName = Annotated[
    str,
    Form(
        r"[a-z0-9]([a-z0-9-]*[a-z0-9])?",
        "the name of a Helm release",
        "our-chart: lower-case letters, digits and dashes, at most 53 characters",
        53,
        drawn=False,
    ),
]
"""53 is Helm's own limit, because charts derive the names of objects from it."""


EksAddonName = Annotated[
    str, Form(r"[a-z0-9]([a-z0-9_-]*[a-z0-9])?", "the name of an EKS add-on", "aws-ebs-csi-driver")
]


class CsiDriverOptions(AddonOptions):
    """Settings of a CSI driver that mounts shared file systems of the stack."""

    namespace: Namespace = key(
        "Namespace with a claim for each file system of the stack that it mounts, under the same name. Muster creates "
        "it if it does not exist, and never deletes it. Do not use a namespace that an add-on creates, such as "
        "kubeflow of the training operator. Default: default.",
        Change.REPLACES,
        default="default",
    )
    more_namespaces: Annotated[tuple[Namespace, ...], AfterValidator(unique_items)] = key(
        "Other namespaces with a claim for each file system, under the same name: the namespaces of teams. Muster "
        "creates those that do not exist, and never deletes one. Default: none.",
        Change.IN_PLACE,
        default=(),
    )

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if self.namespace in self.more_namespaces:
            got = f"'{self.namespace}' already has the claims: it is the namespace of `namespace`"
            raise fault_at("more-namespaces", got, "list only other namespaces")
        return self


class HyperPodOptions(KeptOptions):
    """Settings of the chart of HyperPod."""

    repository: ChartRepository | None = optional(
        "Repository of your package of the chart, because AWS publishes none: an index (https://...) or a registry "
        "(oci://...). Not needed if `chart-mirror` contains it.",
        Change.IN_PLACE,
    )


class HyperPodObservabilityOptions(AddonOptions):
    """Settings of the observability add-on of HyperPod."""

    # No AWS document lists a version that Muster could pin.
    version: AddonVersion = key(
        "Version of the add-on, as `aws eks describe-addon-versions --addon-name "
        "amazon-sagemaker-hyperpod-observability` prints it.",
        Change.IN_PLACE,
    )
    workspace: PrometheusArn = key(
        "ARN of the Amazon Managed Prometheus workspace to which the add-on writes.", Change.IN_PLACE
    )


_EXISTING_PROVIDER = (
    "ARN of the IAM OIDC provider of the cluster, if it already has one. Default: Muster creates one, for all add-ons "
    "that need it."
)


class S3CsiDriverOptions(CsiDriverOptions):
    """Settings of the Mountpoint for Amazon S3 CSI driver."""

    # No AWS document lists its versions by version of Kubernetes.
    version: AddonVersion = key(
        "Version of the add-on, as `aws eks describe-addon-versions --addon-name aws-mountpoint-s3-csi-driver` prints "
        "it. HyperPod's inference operator needs v1.14.1-eksbuild.1 or later.",
        Change.IN_PLACE,
        examples=["v1.14.1-eksbuild.1"],
    )
    buckets: list[BucketName] = key(
        "Names of further buckets, besides those below `storage`, that pods can mount and read with the role of the "
        "driver. Default: none: pods mount other buckets only with their own role.",
        Change.IN_PLACE,
        default=[],
    )
    oidc_provider: OidcProviderArn | None = optional(_EXISTING_PROVIDER, Change.IN_PLACE)


class HyperPodInferenceOptions(KeptOptions):
    """Settings of the inference operator of HyperPod."""

    tls_bucket: BucketName = key("Name of an existing bucket, for TLS certificates.", Change.IN_PLACE)
    load_balancer_policy: PolicyArn = key(
        "ARN of an IAM policy of your account with the permissions of the AWS Load Balancer Controller. Its project "
        "publishes them as a file, docs/install/iam_policy.json of v2.13.0: there is no managed policy.",
        Change.IN_PLACE,
    )
    oidc_provider: OidcProviderArn | None = optional(_EXISTING_PROVIDER, Change.IN_PLACE)


def existing_oidc_provider(options: Iterable[Options]) -> str | None:
    """The IAM OIDC provider of the cluster, where the settings of an add-on name it."""
    named = (getattr(each, "oidc_provider", None) for each in options)
    return next((each for each in named if each is not None), None)


class OtherChart(PlacedChart, Installed):
    """A Helm chart that is not one of Muster's add-ons. Muster installs it with exactly these values."""

    repository: ChartRepository = key(
        "Repository of the chart: an index (https://...) or a registry (oci://...).", Change.IN_PLACE
    )
    chart: str = key("Name of the chart in the repository.", Change.IN_PLACE, min_length=1)
    version: AddonVersion = key("Version of the chart.", Change.IN_PLACE)
    namespace: Namespace = key("Namespace of the release. Muster creates it if it does not exist.", Change.REPLACES)
    values: dict[str, Any] = key("Values of the chart. Default: none.", Change.IN_PLACE, default={})
    before_addons: StrictBool = key(
        "Whether to install the chart before those of Muster's add-ons that wait for nodes. A chart of CRDs that "
        "these add-ons use needs it. Default: false, after all add-ons.",
        Change.NOTHING,
        default=False,
    )


_OWN: Mapping[str, type[Options]] = {
    "dcgm-exporter": DcgmExporterOptions,
    "efa-dra-driver": DraDriverOptions,
    **dict.fromkeys(("efs-csi-driver", "fsx-csi-driver", "openzfs-csi-driver"), CsiDriverOptions),
    "hyperpod": HyperPodOptions,
    "hyperpod-inference": HyperPodInferenceOptions,
    "hyperpod-observability": HyperPodObservabilityOptions,
    "kueue": KueueOptions,
    "nvidia-dra-driver": DraDriverOptions,
    "s3-csi-driver": S3CsiDriverOptions,
    "volcano": VolcanoOptions,
}
"""The add-ons with settings of their own."""


def _settings(name: str) -> type[Options]:
    """The settings of an add-on: by its sheet, it has values, or is kept because users would lose objects."""
    sheet = SHEETS[name]
    has_values = "chart" in sheet or "eks" in sheet
    kept, removed = (KeptOptions, AddonOptions) if has_values else (KeptManifestOptions, ManifestOptions)
    return _OWN.get(name, kept if "loses" in sheet else removed)


_FIELDS: Mapping[str, Any] = {
    name.replace("-", "_"): (_settings(name) | None, optional(SHEETS[name]["about"], Change.IN_PLACE))
    for name in ADDONS
}
_Named: Any = create_model("_Named", __base__=StrictModel, **_FIELDS)
"""A model with a key for each sheet."""


class Addons(_Named):
    """Kubernetes add-ons to install, by name."""

    charts: dict[ReleaseName, OtherChart] = key(
        "Other Helm charts, by release name. If you rename a release, Muster installs it again under the new name. "
        "Default: none.",
        Change.REPLACES,
        default={},
    )
    installed_by: Installer = key(
        "What installs charts and manifests: `pulumi`, or `argo-cd`, `flux` or `helmfile`. With those three, Pulumi "
        "creates only the roles of add-ons in AWS, and `muster addons export` writes what they apply. Pulumi installs "
        "EKS add-ons, `hyperpod` and `karpenter` in any case. If you change it, Pulumi uninstalls what it installed, "
        "except for add-ons that stay (`on-destroy`). Default: pulumi.",
        Change.REPLACES,
        default=Installer.PULUMI,
    )

    @model_validator(mode="wrap")
    @classmethod
    def _filled_in(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Each add-on and chart with its own installer: several stacks of one cluster may have different ones."""
        made = handler(value)
        if made.installed_by is Installer.PULUMI:
            return made

        def filled(given: Mapping[str, Any]) -> dict[str, Any]:
            to = {"installed_by": made.installed_by}
            return {name: each if each.installed_by else each.model_copy(update=to) for name, each in given.items()}

        blocks = {name.replace("-", "_"): given for name, given in made.chosen.items() if not by_pulumi(name)}
        return made.model_copy(update={**filled(blocks), "charts": filled(made.charts)})

    eks_addons: dict[EksAddonName, EksAddonSettings] = key(
        "EKS add-ons by EKS's names, with their values (`configurationValues`): vpc-cni, coredns, kube-proxy and "
        "eks-pod-identity-agent, which every new cluster has, and others. Muster makes no roles for others. Default: "
        "those four, without values.",
        Change.IN_PLACE,
        default={},
    )

    @field_validator("eks_addons")
    @classmethod
    def _has_no_key(cls, addons: dict[str, EksAddonSettings]) -> dict[str, EksAddonSettings]:
        """An add-on that Muster knows has its own key."""
        known = {sheet["eks"]["name"]: name for name, sheet in SHEETS.items() if "eks" in sheet}
        for name in sorted(known.keys() & addons.keys()):
            raise ValueError(f"Muster has its own key for '{name}'; write {known[name]} below addons instead")
        return addons

    @field_validator("charts")
    @classmethod
    def _called_otherwise(cls, charts: dict[str, OtherChart]) -> dict[str, OtherChart]:
        """A release and an add-on with the same name would be one resource."""
        for name in sorted({"charts", "eks-addons", *ADDONS} & charts.keys()):
            raise ValueError(
                f"'{name}' is the name of one of Muster's add-ons; give the release another name, as in our-{name}"
            )
        given = [(chart.namespace, account) for chart in charts.values() for account in chart.roles]
        for namespace, account in given:
            if given.count((namespace, account)) > 1:
                raise ValueError(
                    f"two charts have a role for the service account '{account}' in {namespace}, and EKS gives one "
                    "role to a service account; put all policies into one role"
                )
        return charts

    @property
    def chosen(self) -> Mapping[str, Options]:
        """Name as the user writes it -> options, in the order of the model; without other charts."""
        return {name: given for name in ADDONS if (given := getattr(self, name.replace("-", "_"))) is not None}


class KnownOptions(ManifestOptions):
    """An add-on that another stack installs, with required settings that this stack does not know."""


class KnownChart(OtherChart):
    """A chart that another stack installs, with values that this stack does not know."""

    repository: str = key("Unknown to this stack.", Change.IN_PLACE, default="")


def options_of(versions: Mapping[str, str]) -> Mapping[str, Options]:
    """The settings of add-ons of which only the versions are known. Names that are not add-ons are ignored."""
    return {name: _known(name, versions[name]) for name in ADDONS if name in versions}


def _known(name: str, version: str) -> Options:
    try:
        return _settings(name).model_validate({"version": version})
    except ValidationError:
        return KnownOptions(version=version)


def of_options(chosen: Mapping[str, Options]) -> Addons:
    """The block of add-ons with these settings."""
    return Addons().model_copy(update={name.replace("-", "_"): options for name, options in chosen.items()})


def in_order(chosen: Mapping[str, Options]) -> Mapping[str, Options]:
    """Add-ons in the order of the model."""
    return {name: chosen[name] for name in ADDONS if name in chosen}


def addon_entry(name: str) -> str:
    """What installs an add-on below `addons`, with the keys that it requires: ``s3-csi-driver: {version: ...}``."""
    fields = _settings(name).model_fields.values() if name in ADDONS else ()
    required = {info.alias: (info.examples or ["..."])[0] for info in fields if info.is_required()}
    return f"{name}: {{{', '.join(f'{key}: {value}' for key, value in required.items())}}}"
