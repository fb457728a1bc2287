"""What the charts that people install on training clusters bring, by the charts' names.

Read in the charts' own templates and values: nvidia-device-plugin 0.20.0, gpu-operator v26.7.0,
aws-efa-k8s-device-plugin v0.5.30, aws-dranet 1.0.0 (aws/eks-charts 5239609), neuron-helm-chart 1.9.0 (b77a6f9),
dra-driver-nvidia-gpu (0f5a1bc), the static manifests of the NVIDIA plugin (1c3a10b) and the EFA plugin
(aws-samples/aws-efa-eks 0e56617), kubeflow-trainer 2.3.0, Bitnami's etcd (5165628), and HyperPod's (`hyperpod_bundle`).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from addons.catalogue import CATALOGUE
from addons.values import merged
from muster.fleet.hardware import hardware, instance_types
from muster.fleet.resources import Addon
from muster.fleet.resources.addon import Kind
from muster.fleet.resources.place import KUBERNETES_ADDON
from policies.reading.part import PLUGINS, Part, What
from policies.reading.unknowns import found_at, veiled

Bundle = Callable[[Addon, Mapping[str, Any]], Iterator[Part]]
"""An add-on and its values -> its parts."""

_PLUGIN_ADDONS = {
    What.NVIDIA_PLUGIN: "nvidia-device-plugin",
    What.EFA_PLUGIN: "efa-device-plugin",
    What.NEURON_PLUGIN: "neuron-device-plugin",
}
_GPU_TAINT = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}


def on(values: Mapping[str, Any], *path: str, default: bool) -> bool:
    """Whether a switch is on. A null is the chart's own default, taken away: off."""
    *above, last = path
    holder = found_at(values, *above)
    if not isinstance(holder, Mapping) or last not in holder:
        return default
    return holder[last] is True


def below(values: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    """The values of a sub-chart."""
    found = found_at(values, *path)
    return found if isinstance(found, Mapping) else {}


def plugin(what: What, addon: Addon, values: Mapping[str, Any], **more: Any) -> Iterator[Part]:
    """A device plugin of one of the catalogue's charts, placed as that one's values say."""
    if what is What.EFA_PLUGIN and "values" not in below(values, "supportedInstanceLabels"):
        values = merged(values, {"supportedInstanceLabels": {"values": _with_efa()}})
    try:
        runs = CATALOGUE[_PLUGIN_ADDONS[what]].workloads(values) if not veiled(values) else ()
    except (AttributeError, KeyError, TypeError):
        runs = ()  # values of a form that the chart takes for none: helm refuses them
    pods = tuple(each.placement.pod_spec for each in runs if each.serves == PLUGINS[what])
    yield Part(what, addon, values=values, pods=pods, **more)


def _with_efa() -> list[str]:
    """The chart's own list has every type with EFA; the catalogue's are those that matter here."""
    return [each for each in instance_types() if hardware(each).max_efa]


def _version(addon: Addon, values: Mapping[str, Any]) -> str | None:
    """An image's tag, where the values set one, else the chart's version."""
    version = found_at(values, "image", "tag") or addon.version
    return version if isinstance(version, str) else None


def _nvidia(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    if addon.kind is Kind.MANIFEST:
        values = {"affinity": None, "tolerations": [_GPU_TAINT]}
    if on(values, "devicePlugin", "enabled", default=True):
        yield from plugin(What.NVIDIA_PLUGIN, addon, values, version=_version(addon, values), at=_values_of(addon))


def _values_of(addon: Addon) -> str:
    """Where a plugin's values stand; a manifest has none."""
    return "" if addon.kind is Kind.MANIFEST else "values"


def _efa(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    version = addon.version if isinstance(addon.version, str) else None
    yield from plugin(What.EFA_PLUGIN, addon, values, version=version, at=_values_of(addon))


def _neuron(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    if on(values, "devicePlugin", "enabled", default=True):
        yield from plugin(What.NEURON_PLUGIN, addon, values, version=_version(addon, values), at="values")
    if on(values, "draDriver", "enabled", default=False):
        own = merged(values, {"devicePlugin": {"enabled": True, **below(values, "draDriver")}})
        (driver,) = plugin(What.NEURON_PLUGIN, addon, {**own, "devicePlugin": {**own["devicePlugin"], "enabled": True}})
        off = "draDriver.enabled: false"
        yield Part(What.NEURON_DRA, addon, values=values, off=off, at="values.draDriver", pods=driver.pods)


OF_OPERATOR = {"26.3.0": "0.19.0", "26.3.1": "0.19.0", "26.3.2": "0.19.2", "26.3.3": "0.19.3", "26.7.0": "0.20.0"}
"""Release of the GPU operator -> of the device plugin in it (NVIDIA/gpu-operator, values.yaml at the tags)."""


def gpu_operator(
    addon: Addon, values: Mapping[str, Any], prefix: str = "", release: str | None = None
) -> Iterator[Part]:
    """What NVIDIA's operator starts, from its chart or a wrapper's.

    Args:
        addon: the add-on.
        values: the operator's own.
        prefix: where they stand in the add-on's, with a dot.
        release: the operator's; the add-on's version without it.
    """
    said = release or (addon.version if isinstance(addon.version, str) else "")
    tolerations = (
        values["daemonsets"]["tolerations"] if below(values, "daemonsets").get("tolerations") else [_GPU_TAINT]
    )
    pods = ({"nodeSelector": {"nvidia.com/gpu.deploy.device-plugin": "true"}, "tolerations": tolerations},)
    by_claims = on(values, "gpuCluster", "deployCR", default=False)

    def part(what: What, component: str, version: str | None = None) -> Part:
        off = f"{prefix}{component}.enabled: false"
        own = below(values, component)
        return Part(what, addon, version, own, off, f"values.{prefix}{component}", pods)

    if on(values, "devicePlugin", "enabled", default=True) and not by_claims:
        version = found_at(values, "devicePlugin", "version") or OF_OPERATOR.get(said.removeprefix("v"))
        yield part(What.NVIDIA_PLUGIN, "devicePlugin", version if isinstance(version, str) else None)
    if on(values, "driver", "enabled", default=True):
        yield part(What.GPU_DRIVER, "driver")
    if on(values, "toolkit", "enabled", default=True):
        yield part(What.GPU_TOOLKIT, "toolkit")
    if by_claims:
        off = f"{prefix}gpuCluster.deployCR: false"
        yield Part(What.NVIDIA_DRA, addon, None, values, off, f"values.{prefix}gpuCluster", pods)


_GPU_LABELS = (
    ("feature.node.kubernetes.io/pci-10de.present", "true"),
    ("feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA"),
    ("nvidia.com/gpu.present", "true"),
)


def _nvidia_dra(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    if not on(values, "resources", "gpus", "enabled", default=True):
        return  # ComputeDomains alone take no GPU
    terms = [{"matchExpressions": [{"key": key, "operator": "In", "values": [value]}]} for key, value in _GPU_LABELS]
    default = {
        "tolerations": [_GPU_TAINT],
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}},
    }
    pods = (merged(default, below(values, "kubeletPlugin")),)
    off = "resources.gpus.enabled: false"
    yield Part(What.NVIDIA_DRA, addon, _version(addon, values), values, off, "values.resources.gpus", pods)


def _efa_dra(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    (placed,) = plugin(What.EFA_PLUGIN, addon, values)
    yield Part(What.EFA_DRA, addon, _version(addon, values), values, at="values", pods=placed.pods)


def _kueue(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(What.KUEUE, addon, addon.version if isinstance(addon.version, str) else None, values)


def _jobset(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(What.JOBSET, addon, _version(addon, values), values)


def _trainer(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(What.TRAINER, addon, addon.version if isinstance(addon.version, str) else None, values)
    if on(values, "jobset", "install", default=True):
        yield Part(What.JOBSET, addon, None, below(values, "jobset"), "jobset.install: false", "values.jobset.install")


def _mpi(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(What.MPI_JOBS, addon, _version(addon, values), values)


def _training(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(What.TRAINING_OPERATOR, addon, addon.version if isinstance(addon.version, str) else None, values)
    if addon.ref.type != KUBERNETES_ADDON:  # Muster's overlay leaves MPIJob to the MPI operator
        off = "the patch that deletes mpijobs.kubeflow.org, and --enable-scheme for the others"
        yield Part(What.MPI_JOBS, addon, None, values, off=off)


def _fsx(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    yield Part(What.FSX_CSI, addon, values=values)


def _etcd(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    """Which etcd a chart runs its tag says. Of the charts' own versions one is known: Bitnami's 12 runs 3.6."""
    version = addon.version if isinstance(addon.version, str) else ""
    if addon.kind is Kind.CHART:
        tag = found_at(values, "image", "tag")
        version = str(tag) if tag else "3.6" if version.startswith("12.") else ""
    yield Part(What.ETCD, addon, version or None, values, at="values.image.tag")


BUNDLES: dict[str, Bundle] = {
    "nvidia-device-plugin": _nvidia,
    "gpu-operator": gpu_operator,
    "nvidia-dra-driver-gpu": _nvidia_dra,
    "dra-driver-nvidia-gpu": _nvidia_dra,
    "aws-efa-k8s-device-plugin": _efa,
    "aws-dranet": _efa_dra,
    "neuron-helm-chart": _neuron,
    "kueue": _kueue,
    "amazon-sagemaker-hyperpod-taskgovernance": _kueue,
    "jobset": _jobset,
    "kubeflow-trainer": _trainer,
    "mpi-operator": _mpi,
    "training-operator": _training,
    "aws-fsx-csi-driver": _fsx,
    "etcd": _etcd,
}
"""Name of a chart, of an EKS add-on, or of an add-on that is a manifest -> what it brings."""
