"""What the HyperPod chart brings: an umbrella over other charts, each with a switch.

aws/sagemaker-hyperpod-cli 011ca92, helm_chart/HyperPodHelmChart: Chart.yaml for the switches, values.yaml for what it
gives its sub-charts. Its plugins are for HyperPod's nodes: their lists of instance types hold only `ml.` ones.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from addons.values import merged
from muster.fleet.hardware import Accelerator, Hardware, hardware, instance_types
from muster.fleet.labels import INSTANCE_TYPE
from muster.fleet.resources import Addon
from policies.reading.bundles import below, gpu_operator, on, plugin
from policies.reading.landing import HEALTH_TAINT
from policies.reading.part import Part, What

_HEALTH = {"key": HEALTH_TAINT.key, "operator": "Equal", "value": HEALTH_TAINT.value, "effect": HEALTH_TAINT.effect}


def _types(kind: Accelerator | None = None) -> list[str]:
    return [f"ml.{each.instance}" for each in hyperpod_types() if kind is None or each.accelerator is kind]


def hyperpod_types() -> Iterator[Hardware]:
    """The catalogued types that HyperPod has."""
    return (machine for machine in map(hardware, instance_types()) if machine.hyperpod)


def _only(types: list[str]) -> dict[str, Any]:
    expression = {"key": INSTANCE_TYPE, "operator": "In", "values": types}
    required = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


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
_BUNDLED_OPERATOR = "v1-855e096"


def hyperpod(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of the HyperPod chart."""
    yield from _plugins(addon, values)
    if on(values, "mpi-operator", "enabled", default=True):
        yield Part(What.MPI_JOBS, addon, off="mpi-operator.enabled: false", at="values.mpi-operator")
    if on(values, "trainingOperators", "enabled", default=True):
        own = merged(
            {"schemes": list(SCHEMES), "image": {"tag": _BUNDLED_OPERATOR}}, below(values, "training-operators")
        )
        version = OPERATOR_IMAGES.get(str(own["image"].get("tag")))
        off, at = "trainingOperators.enabled: false", "values.training-operators"
        yield Part(What.TRAINING_OPERATOR, addon, version, own, off, at)
        if "mpijob" in own["schemes"]:
            schemes = f"training-operators.schemes: [{', '.join(each for each in own['schemes'] if each != 'mpijob')}]"
            yield Part(What.MPI_JOBS, addon, version, own, schemes, f"{at}.schemes")
    if on(values, "job-auto-restart", "enabled", default=True):
        yield Part(What.AUTO_RESUME, addon, off="job-auto-restart.enabled: false", at="values.job-auto-restart")
    inference = below(values, "hyperpod-inference-operator")
    if on(values, "inferenceOperators", "enabled", default=False) and on(inference, "fsx", "enabled", default=True):
        off, at = "hyperpod-inference-operator.fsx.enabled: false", "values.hyperpod-inference-operator.fsx"
        yield Part(What.FSX_CSI, addon, off=off, at=at)
    if on(values, "gpu-operator", "enabled", default=False):
        bundled = {"driver": {"enabled": False}, "devicePlugin": {"version": "v0.19.0"}}
        bundled["daemonsets"] = {"tolerations": [{"operator": "Exists"}]}
        own = merged(bundled, below(values, "gpu-operator", "gpu-operator"))
        yield from gpu_operator(addon, own, "gpu-operator.gpu-operator.", "v26.3.1")


def _plugins(addon: Addon, values: Mapping[str, Any]) -> Iterator[Part]:
    if on(values, "nvidia-device-plugin", "devicePlugin", "enabled", default=True):
        taint = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
        given = {"affinity": _only(_types(Accelerator.GPU)), "tolerations": [taint, _HEALTH]}
        own = merged(given, below(values, "nvidia-device-plugin"))
        tag = below(own, "image").get("tag") or "0.16.1"
        yield from plugin(
            What.NVIDIA_PLUGIN,
            addon,
            own,
            version=str(tag),
            off="nvidia-device-plugin.devicePlugin.enabled: false",
            at="values.nvidia-device-plugin",
        )
    if on(values, "aws-efa-k8s-device-plugin", "devicePlugin", "enabled", default=True):
        taint = {"key": "aws.amazon.com/efa", "operator": "Exists", "effect": "NoSchedule"}
        types = [f"ml.{each.instance}" for each in hyperpod_types() if each.max_efa]
        given = {"supportedInstanceLabels": {"values": types}, "tolerations": [taint, _HEALTH]}
        own = merged(given, below(values, "aws-efa-k8s-device-plugin"))
        yield from plugin(
            What.EFA_PLUGIN,
            addon,
            own,
            version="v0.5.20",
            off="aws-efa-k8s-device-plugin.devicePlugin.enabled: false",
            at="values.aws-efa-k8s-device-plugin",
        )
    if on(values, "neuron-device-plugin", "devicePlugin", "enabled", default=True):
        taint = {"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"}
        pods = ({"affinity": _only(_types(Accelerator.NEURON)), "tolerations": [taint, _HEALTH]},)
        off = "neuron-device-plugin.devicePlugin.enabled: false"
        yield Part(What.NEURON_PLUGIN, addon, "2.19.16.0", {}, off, "values.neuron-device-plugin", pods)
