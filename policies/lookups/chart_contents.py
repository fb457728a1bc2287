"""What the charts that people install on training clusters contain, by the charts' names.

Read in the charts' own templates and values: nvidia-device-plugin 0.20.0, gpu-operator v26.7.0,
aws-efa-k8s-device-plugin v0.5.30, aws-dranet 1.0.0 (aws/eks-charts 5239609), neuron-helm-chart 1.9.0 (b77a6f9),
dra-driver-nvidia-gpu 0.4.1, nvidia-dra-driver-gpu 25.3.0 to 25.12.0, the static manifests of the NVIDIA plugin
(1c3a10b) and the EFA plugin (aws-samples/aws-efa-eks 0e56617), kubeflow-trainer 2.3.0, Bitnami's etcd (5165628), and
HyperPod's (`hyperpod_bundle`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from muster.addon_sheets import ADDONS
from muster.addons.catalogue import CATALOGUE
from muster.addons.sheet import chart_lists
from muster.edits import Remedy, remove, set_to
from muster.fleet.resources import Addon, EksAddon
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.hardware.catalogue import Hardware
from muster.hardware.hyperpod_types import hyperpod_types as hyperpod_names
from muster.hardware.hyperpod_types import machine_of
from muster.plain_data import merged, value_at
from muster.policies.lookups.versions import version_tuple
from muster.unknown import NotKnown, stored


class PartKind(StrEnum):
    """What a part of an add-on is, in words."""

    NVIDIA_PLUGIN = "the NVIDIA device plugin"
    EFA_PLUGIN = "the EFA device plugin"
    NEURON_PLUGIN = "the Neuron device plugin"
    NVIDIA_DRA = "the NVIDIA DRA driver"
    EFA_DRA = "the EFA DRA driver"
    NEURON_DRA = "the Neuron DRA driver"
    GPU_DRIVER = "the GPU operator's driver"
    GPU_TOOLKIT = "the GPU operator's container toolkit"
    MPI_JOBS = "mpijobs.kubeflow.org"
    TRAINING_OPERATOR = "the training operator"
    TRAINER = "Kubeflow Trainer"
    KUEUE = "Kueue"
    JOBSET = "the JobSet controller"
    FSX_CSI = "the FSx for Lustre CSI driver"
    ETCD = "etcd"
    AUTO_RESUME = "HyperPod's job auto-resume"


NVIDIA, EFA, NEURON = "nvidia.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuron"
PLUGINS = {
    PartKind.NVIDIA_PLUGIN: NVIDIA,
    PartKind.EFA_PLUGIN: EFA,
    PartKind.NEURON_PLUGIN: NEURON,
}
"""Device plugin -> the resource that it makes nodes offer."""

DRIVERS = {
    PartKind.NVIDIA_DRA: PartKind.NVIDIA_PLUGIN,
    PartKind.EFA_DRA: PartKind.EFA_PLUGIN,
    PartKind.NEURON_DRA: PartKind.NEURON_PLUGIN,
}
"""DRA driver -> the plugin for the same devices."""


@dataclass(frozen=True, slots=True, eq=False)
class AddonPart:
    """One part of one add-on."""

    what: PartKind
    addon: Addon | EksAddon
    version: str | None = None
    """Its own version, which is not always the chart's; None if it is not known."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values of the chart that contains it, even if that is a sub-chart of another."""
    off: str = ""
    """The value of the add-on that leaves it out: ``devicePlugin.enabled: false``. Empty if the add-on has no other
    part."""
    at: str = ""
    """The path of its values below the add-on: ``values.nvidia-device-plugin``."""
    pods: tuple[Mapping[str, Any], ...] = ()
    """For a part that runs on nodes: the fields of its pods' specs that select the nodes."""
    may_list_more: bool = False
    """Whether the chart selects nodes by a list of instance types, and its version, which is not known or is newer than
    Muster's copy, may list more."""

    @property
    def name(self) -> str:
        """The add-on's name, as its program or description has it."""
        return self.addon.ref.name

    @property
    def bundled(self) -> bool:
        """Whether its add-on has other parts."""
        return bool(self.off)

    @property
    def without(self) -> Remedy:
        """How to remove it."""
        key, _, value = self.off.rpartition(": ")
        if self.addon.place.described and not getattr(self.addon, "installed_by", "") and value in ("", "false"):
            at = f"/{self.addon.place.path(f'values.{key}' if key else '')}"
            return set_to(False, at=at) if key else remove(at)
        return f"set {self.off} in the values of {self.name}" if self.off else f"remove {self.name}"


def release_of(part: AddonPart, version: object) -> tuple[int, ...]:
    """A version of a part as numbers.

    Raises:
        NotKnown: it is not known, or is not a version.
    """
    if (numbers := version_tuple(version)) is None:
        raise NotKnown(f"the release of {part.what} of {part.name}")
    return numbers


Bundle = Callable[[Addon, Mapping[str, Any]], Iterator[AddonPart]]
"""An add-on and its values -> its parts."""

_GPU_TAINT = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}


def switched_on(values: Mapping[str, Any], *path: str, default: bool) -> bool:
    """Whether a switch is on. A null removes the chart's default: off."""
    *above, last = path
    holder = value_at(values, *above)
    if not isinstance(holder, Mapping) or last not in holder:
        return default
    return holder[last] is True


def subchart_values(values: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    """The values of a sub-chart."""
    found = value_at(values, *path)
    return found if isinstance(found, Mapping) else {}


def device_plugin(what: PartKind, addon: Addon, values: Mapping[str, Any], **more: Any) -> Iterator[AddonPart]:
    """A device plugin of one of the catalog's charts, on the nodes that the chart's values select."""
    ours = next(each for each in CATALOGUE.values() if each.serves == PLUGINS[what])
    try:
        runs = ours.workloads(values)
    except (AttributeError, KeyError, TypeError):
        runs = ()  # values of an invalid type: helm refuses them
    pods = tuple(each.placement.pod_spec for each in runs if each.serves == PLUGINS[what])
    yield AddonPart(what, addon, values=values, pods=pods, **more)


def _with_types(values: Mapping[str, Any], addon: Addon) -> Mapping[str, Any]:
    """Values of a chart for EFA, with the list of types of its version if they set none."""
    if "values" in subchart_values(values, "supportedInstanceLabels"):
        return values
    version, every = version_tuple(_own_version(addon)), chart_lists()[addon.chart, addon.chart]
    listed = [each for each, since in every.items() if not version or (version_tuple(since) or ()) <= version]
    return merged(values, {"supportedInstanceLabels": {"values": listed}})


def _may_list_more(addon: Addon, name: str) -> bool:
    """Whether the add-on's version may list other types than Muster's copy of its chart.

    Args:
        addon: the add-on.
        name: of the DaemonSet that the list is for.
    """
    version, rows = version_tuple(_own_version(addon)), chart_lists()[addon.chart, name].values()
    return version is None or version > max(version_tuple(each) or () for each in rows)


def _version(addon: Addon, values: Mapping[str, Any], *image: str) -> str | None:
    """The version that will run: the tag of its image, if the values set one, else the chart's version.

    Args:
        addon: the add-on.
        values: the values of its chart.
        image: the path of the image in them. Default: ``image``.
    """
    tag = value_at(values, *(image or ("image",)), "tag")
    return str(tag).partition("@")[0] if tag else _own_version(addon)


def _own_version(addon: Addon) -> str | None:
    """The version of a chart or manifest; None if it is not known, which leaves the add-on's parts known."""
    return stored(addon, "version", None)  # type: ignore[no-any-return]


def _nvidia(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    at, version = "values", _version(addon, values)
    if addon.kind is AddonKind.MANIFEST:
        at, values = "", {"affinity": None, "tolerations": [_GPU_TAINT]}
    if switched_on(values, "devicePlugin", "enabled", default=True):
        yield from device_plugin(PartKind.NVIDIA_PLUGIN, addon, values, version=version, at=at)


def _efa(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    at, more = "" if addon.kind is AddonKind.MANIFEST else "values", _may_list_more(addon, addon.chart)
    values, version = _with_types(values, addon), _own_version(addon)
    yield from device_plugin(PartKind.EFA_PLUGIN, addon, values, version=version, at=at, may_list_more=more)


def _neuron(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    more = _may_list_more(addon, "neuron-device-plugin")
    if switched_on(values, "devicePlugin", "enabled", default=True):
        version = _version(addon, values)
        yield from device_plugin(
            PartKind.NEURON_PLUGIN, addon, values, version=version, at="values", may_list_more=more
        )
    if switched_on(values, "draDriver", "enabled", default=False):
        own = merged(values, {"devicePlugin": {**subchart_values(values, "draDriver"), "enabled": True}})
        (driver,) = device_plugin(PartKind.NEURON_PLUGIN, addon, own)
        off = "draDriver.enabled: false"
        yield AddonPart(PartKind.NEURON_DRA, addon, values=values, off=off, at="values.draDriver", pods=driver.pods)


OF_OPERATOR = {"26.3.0": "0.19.0", "26.3.1": "0.19.0", "26.3.2": "0.19.2", "26.3.3": "0.19.3", "26.7.0": "0.20.0"}
"""Release of the GPU operator -> of the device plugin in it (NVIDIA/gpu-operator, values.yaml at the tags)."""


def gpu_operator(
    addon: Addon, values: Mapping[str, Any], prefix: str = "", release: str | None = None
) -> Iterator[AddonPart]:
    """What NVIDIA's operator starts, from its own chart or as a sub-chart.

    Args:
        addon: the add-on.
        values: the operator's own values.
        prefix: their path in the values of the add-on, with a final dot.
        release: the operator's release. Default: the add-on's version.
    """
    release_given = release or _own_version(addon) or ""
    tolerations = (
        values["daemonsets"]["tolerations"]
        if subchart_values(values, "daemonsets").get("tolerations")
        else [_GPU_TAINT]
    )
    pods = ({"nodeSelector": {"nvidia.com/gpu.deploy.device-plugin": "true"}, "tolerations": tolerations},)
    by_claims = switched_on(values, "gpuCluster", "deployCR", default=False)

    def part(what: PartKind, component: str, version: str | None = None) -> AddonPart:
        off = f"{prefix}{component}.enabled: false"
        own = subchart_values(values, component)
        return AddonPart(what, addon, version, own, off, f"values.{prefix}{component}", pods)

    if switched_on(values, "devicePlugin", "enabled", default=True) and not by_claims:
        version = value_at(values, "devicePlugin", "version") or OF_OPERATOR.get(release_given.removeprefix("v"))
        yield part(PartKind.NVIDIA_PLUGIN, "devicePlugin", version if isinstance(version, str) else None)
    if switched_on(values, "driver", "enabled", default=True):
        yield part(PartKind.GPU_DRIVER, "driver")
    if switched_on(values, "toolkit", "enabled", default=True):
        yield part(PartKind.GPU_TOOLKIT, "toolkit")
    if by_claims:
        off = f"{prefix}gpuCluster.deployCR: false"
        yield AddonPart(PartKind.NVIDIA_DRA, addon, None, values, off, f"values.{prefix}gpuCluster", pods)


NVIDIA_DRA_CHARTS = ("dra-driver-nvidia-gpu", "nvidia-dra-driver-gpu")
"""The chart of NVIDIA's DRA driver, and its name until v25.12."""


def _nvidia_dra(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    """The driver of GPUs. ComputeDomains alone use no GPU."""
    gpus, domains = (
        switched_on(values, "resources", each, "enabled", default=True) for each in ("gpus", "computeDomains")
    )
    if gpus:
        off = "resources.gpus.enabled: false" if domains else ""
        pods = _pods_of("nvidia-dra-driver", values)
        yield AddonPart(PartKind.NVIDIA_DRA, addon, _version(addon, values), values, off, "values.resources.gpus", pods)


def _efa_dra(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    pods = _pods_of("efa-dra-driver", _with_types(values, addon))
    version, more = _version(addon, values), _may_list_more(addon, addon.chart)
    yield AddonPart(PartKind.EFA_DRA, addon, version, values, at="values", pods=pods, may_list_more=more)


def _pods_of(name: str, values: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The pods of the DaemonSets of an add-on of the catalog, with these values."""
    runs = CATALOGUE[name].workloads(values)
    return tuple(each.placement.pod_spec for each in runs if each.kind == "DaemonSet")


def _single(what: PartKind, *image: str) -> Bundle:
    """The bundle of a chart that is one part. `image` is the path of its image in the values."""
    return lambda addon, values: iter((AddonPart(what, addon, _version(addon, values, *image), values),))


def _trainer(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    yield AddonPart(PartKind.TRAINER, addon, _version(addon, values), values)
    if switched_on(values, "jobset", "install", default=True):
        own, off = subchart_values(values, "jobset"), "jobset.install: false"
        yield AddonPart(PartKind.JOBSET, addon, None, own, off, "values.jobset.install")


def _training(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    yield AddonPart(PartKind.TRAINING_OPERATOR, addon, _own_version(addon), values)
    if addon.ref.type != KUBERNETES_ADDON:  # Muster's overlay leaves MPIJob to the MPI operator
        off = "the patch that deletes mpijobs.kubeflow.org, and --enable-scheme for the others"
        yield AddonPart(PartKind.MPI_JOBS, addon, None, values, off=off)


def _etcd(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    """The image's tag sets the version of etcd. Without a tag, only that of Bitnami's chart 12 is known: 3.6."""
    version = _own_version(addon) or ""
    if addon.kind is AddonKind.CHART:
        tag = value_at(values, "image", "tag")
        version = str(tag) if tag else "3.6" if version.startswith("12.") else ""
    yield AddonPart(PartKind.ETCD, addon, version or None, values, at="values.image.tag")


_KUEUE = _single(PartKind.KUEUE, "controllerManager", "manager", "image")
BUNDLES: dict[str, Bundle] = {
    "nvidia-device-plugin": _nvidia,
    "gpu-operator": gpu_operator,
    "nvidia-dra-driver-gpu": _nvidia_dra,
    "dra-driver-nvidia-gpu": _nvidia_dra,
    "aws-efa-k8s-device-plugin": _efa,
    "aws-dranet": _efa_dra,
    "neuron-helm-chart": _neuron,
    "kueue": _KUEUE,
    "amazon-sagemaker-hyperpod-taskgovernance": _KUEUE,
    "jobset": _single(PartKind.JOBSET),
    "kubeflow-trainer": _trainer,
    "mpi-operator": _single(PartKind.MPI_JOBS),
    "training-operator": _training,
    "aws-fsx-csi-driver": _single(PartKind.FSX_CSI),
    "etcd": _etcd,
}
"""Name of a chart, of an EKS add-on, or of an add-on that is a manifest -> its parts."""


# What the HyperPod chart contains: other charts, each with a switch.
#
# aws/sagemaker-hyperpod-cli 011ca92, helm_chart/HyperPodHelmChart: Chart.yaml for the switches, values.yaml for what it
# gives its sub-charts.


def hyperpod_types() -> Iterator[Hardware]:
    """The types that HyperPod supports, with the hardware that EC2 states."""
    return (machine for each in hyperpod_names() if (machine := machine_of(each)))


SCHEMES = ("pytorchjob", "tfjob", "mxjob", "xgboostjob", "paddlejob")
OPERATOR_IMAGES = {
    "v1-855e096": "1.7.0",
    "v1-9e52eb7": "1.8.0",
    "v1-04f9f13": "1.8.1",
    "v1-5170a36": "1.9.0",
    "v1-5c0e763": "1.9.1",
    "v1-3f15cb8": "1.9.2",
    "v1-d6eb98e": "1.9.3",
    "v1-93c5489": "1.9.4",
}
"""Tag of the training operator's image -> its release (kubeflow/trainer, manifests/overlays/standalone at the tags)."""


def hyperpod(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    """The parts of the HyperPod chart."""
    yield from _plugins(addon, values)
    if switched_on(values, "mpi-operator", "enabled", default=True):
        yield AddonPart(PartKind.MPI_JOBS, addon, off="mpi-operator.enabled: false", at="values.mpi-operator")
    if switched_on(values, "trainingOperators", "enabled", default=True):
        bundled: dict[str, Any] = {"schemes": list(SCHEMES), "image": {"tag": "v1-855e096"}}
        own = merged(bundled, subchart_values(values, "training-operators"))
        version = OPERATOR_IMAGES.get(str(own["image"].get("tag")))
        off, at = "trainingOperators.enabled: false", "values.training-operators"
        yield AddonPart(PartKind.TRAINING_OPERATOR, addon, version, own, off, at)
        if "mpijob" in own["schemes"]:
            schemes = f"training-operators.schemes: [{', '.join(each for each in own['schemes'] if each != 'mpijob')}]"
            yield AddonPart(PartKind.MPI_JOBS, addon, version, own, schemes, f"{at}.schemes")
    if switched_on(values, "job-auto-restart", "enabled", default=True):
        yield AddonPart(
            PartKind.AUTO_RESUME, addon, off="job-auto-restart.enabled: false", at="values.job-auto-restart"
        )
    inference = subchart_values(values, "hyperpod-inference-operator")
    if switched_on(values, "inferenceOperators", "enabled", default=False) and switched_on(
        inference, "fsx", "enabled", default=True
    ):
        off, at = "hyperpod-inference-operator.fsx.enabled: false", "values.hyperpod-inference-operator.fsx"
        yield AddonPart(PartKind.FSX_CSI, addon, off=off, at=at)
    if switched_on(values, "gpu-operator", "enabled", default=False):
        bundled = {
            "driver": {"enabled": False},
            "devicePlugin": {"version": "v0.19.0"},
            "daemonsets": {"tolerations": [{"operator": "Exists"}]},
        }
        own = merged(bundled, subchart_values(values, "gpu-operator", "gpu-operator"))
        yield from gpu_operator(addon, own, "gpu-operator.gpu-operator.", "v26.3.1")


_BUNDLED = {
    NVIDIA: (PartKind.NVIDIA_PLUGIN, "nvidia-device-plugin", "0.16.1"),
    EFA: (PartKind.EFA_PLUGIN, "aws-efa-k8s-device-plugin", "v0.5.20"),
    NEURON: (PartKind.NEURON_PLUGIN, "neuron-device-plugin", "2.19.16.0"),
}
"""Device -> its plugin in HyperPod's chart, the key of the plugin's values, and the tag of its image."""


def _plugins(addon: Addon, values: Mapping[str, Any]) -> Iterator[AddonPart]:
    """Its device plugins, on the nodes of the types that the chart lists."""
    other = _own_version(addon) != ADDONS["hyperpod"].version  # 0.1.0, of whatever commit
    for each in CATALOGUE["hyperpod"].workloads(values):
        if each.serves in _BUNDLED:
            what, key, tag = _BUNDLED[each.serves]
            own = subchart_values(values, key)
            version = str(subchart_values(own, "image").get("tag") or tag)
            off, at = f"{key}.devicePlugin.enabled: false", f"values.{key}"
            yield AddonPart(what, addon, version, own, off, at, (each.placement.pod_spec,), other)
