"""AWS's umbrella chart `hyperpod-helm-chart`: its values and workloads. See `hyperpod.toml`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from muster.addons.addon import Chart, Json, Source
from muster.addons.catalogue import efa_device_plugin
from muster.addons.chart_instance_types import chart_instance_types
from muster.addons.context import HEALTH_TAINT, AddonContext
from muster.addons.image_names import path_of
from muster.addons.sheet import addon, workloads
from muster.addons.values import at, over_defaults
from muster.addons.workload import JobKind, Placement, Workload, among, on_nodes, shortened
from muster.blueprint.labels import INSTANCE_TYPE
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.addons import HyperPodOptions, Options
from muster.versions import ADDONS, HYPERPOD_AGENT

CHART = "hyperpod-helm-chart"
_NAMESPACE = "kube-system"
_OTHERS_MONITORED = "health-monitoring-agent-non-nvidia"


def monitored_without_gpus() -> list[str]:
    """The types without NVIDIA GPUs that HyperPod's monitoring agent is for: those with Neuron devices."""
    return chart_instance_types(CHART, _OTHERS_MONITORED)


_PLUGINS: Mapping[str, tuple[str, ...]] = {
    "nvidia-device-plugin": ("nvidia-device-plugin", "devicePlugin", "enabled"),
    "efa-device-plugin": ("aws-efa-k8s-device-plugin", "devicePlugin", "enabled"),
    "neuron-device-plugin": ("neuron-device-plugin", "devicePlugin", "enabled"),
}
"""Add-on of Muster -> the switch of the sub-chart that installs the same."""

_MPI = ("mpi-operator", "enabled")
_TRAINING = ("trainingOperators", "enabled")

_OPERATORS: Mapping[str, tuple[tuple[str, ...], tuple[JobKind, ...]]] = {
    "mpi-operator": (_MPI, (JobKind("kubeflow.org/v2beta1", "MPIJob"),)),
    "training-operator": (
        _TRAINING,
        tuple(JobKind("kubeflow.org/v1", kind) for kind in ("PyTorchJob", "TFJob", "MXJob", "XGBoostJob", "PaddleJob")),
    ),
}
"""Add-on of Muster -> the switch of the sub-chart that installs the same, and what its operator runs: no JAXJob, which
v1.7.0 does not support."""


def _values(context: AddonContext) -> Json:
    switches: dict[tuple[str, ...], bool] = {_MPI: False, _TRAINING: False}
    switches |= {path: not _serves_hyperpod(name, context) for name, path in _PLUGINS.items()}
    values: Json = {"global": {"region": context.region}}
    for path, on in switches.items():
        below = values
        for key in path[:-1]:
            below = below.setdefault(key, {})
        below[path[-1]] = on
    return values


def _serves_hyperpod(plugin: str, context: AddonContext) -> bool:
    """Whether Muster's plugin also runs on HyperPod's nodes. If the description has no such nodes, both plugins are
    needed, each for its nodes; but the two for Neuron have the same name, so Muster's runs on all nodes."""
    of_hyperpod = any(each.hyperpod for each in context.nodes)
    return context.has(plugin) and (of_hyperpod or plugin == "neuron-device-plugin")


def _mirrored(registry: str) -> Json:
    """With the agent of the pinned version; the agents of other versions are not known."""
    return {**_plugins_mirrored(registry), "health-monitoring-agent": {"hmaimage": f"{registry}/{HYPERPOD_AGENT}"}}


def _plugins_mirrored(registry: str) -> Json:
    """The bundled Neuron plugin has no value for its image; Muster's has."""
    return {
        "nvidia-device-plugin": {"image": {"repository": f"{registry}/nvidia/k8s-device-plugin"}},
        "aws-efa-k8s-device-plugin": {"image": {"repository": f"{registry}/eks/aws-efa-k8s-device-plugin"}},
        "mpi-operator": {"mpiOperator": {"image": {"repository": f"{registry}/{path_of('mpioperator/mpi-operator')}"}}},
        "training-operators": {"image": {"repository": f"{registry}/{path_of('kubeflow/training-operator')}"}},
    }


_CRITICAL = {"key": "CriticalAddonsOnly", "operator": "Exists"}
_HEALTH = {"key": HEALTH_TAINT, "operator": "Equal", "value": "Unschedulable", "effect": "NoSchedule"}


def _on_types(name: str) -> Json:
    """An affinity to the types that the chart lists for a DaemonSet."""
    return on_nodes(among(INSTANCE_TYPE, chart_instance_types(CHART, name)))


_DEFAULTS: Json = {
    "health-monitoring-agent": {"enabled": True, "namespace": "aws-hyperpod"},
    "nvidia-device-plugin": {
        "devicePlugin": {"enabled": True},
        "namespaceOverride": _NAMESPACE,
        "priorityClassName": "system-node-critical",
        "affinity": _on_types("nvidia-device-plugin"),
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}, _HEALTH],
    },
    "aws-efa-k8s-device-plugin": {
        "devicePlugin": {"enabled": True},
        "supportedInstanceLabels": {"values": chart_instance_types(CHART, "aws-efa-k8s-device-plugin")},
        "tolerations": [
            _CRITICAL,
            {"key": "aws.amazon.com/efa", "operator": "Exists", "effect": "NoSchedule"},
            _HEALTH,
        ],
    },
    "neuron-device-plugin": {"devicePlugin": {"enabled": True}, "namespace": _NAMESPACE},
    "mpi-operator": {"enabled": True, "mpiOperator": {"replicas": 1, "tolerations": [_HEALTH]}},
    "trainingOperators": {"enabled": True},
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    return tuple(_all(values))


def _all(values: Mapping[str, Any]) -> Iterator[Workload]:
    if at(values, "health-monitoring-agent", "enabled"):
        yield from _monitoring(at(values, "health-monitoring-agent", "namespace") or "")
    if at(values, *_PLUGINS["nvidia-device-plugin"]):
        given = values["nvidia-device-plugin"]
        yield from workloads("nvidia-device-plugin", given, f"{CHART}-nvidia-device-plugin")
    if at(values, *_PLUGINS["efa-device-plugin"]):
        (plugin,) = efa_device_plugin.ADDON.workloads(values["aws-efa-k8s-device-plugin"])
        yield replace(plugin, name=shortened(f"{CHART}-{plugin.name}"), serves=EFA_RESOURCE)
    if at(values, *_PLUGINS["neuron-device-plugin"]):
        yield _neuron(at(values, "neuron-device-plugin", "namespace") or "")
    if at(values, *_MPI):
        yield _mpi(at(values, "mpi-operator", "mpiOperator") or {})
    if at(values, *_TRAINING):
        yield Workload("Deployment", f"{CHART}-training-operators", "kubeflow")


def _brings(given: Mapping[str, Any]) -> dict[str, tuple[JobKind, ...]]:
    values = over_defaults(_DEFAULTS, given)
    plugins = {name: () for name, path in _PLUGINS.items() if at(values, *path)}
    return {**plugins, **{name: runs for name, (path, runs) in _OPERATORS.items() if at(values, *path)}}


def _monitoring(namespace: str) -> Iterator[Workload]:
    everything = [{"operator": "Exists", "effect": effect} for effect in ("NoSchedule", "NoExecute")]
    resources = {"requests": {"cpu": "500m", "memory": "512Mi"}, "limits": {"cpu": "500m", "memory": "512Mi"}}
    for name in ("health-monitoring-agent", _OTHERS_MONITORED):
        yield Workload("DaemonSet", name, namespace, Placement(everything, _on_types(name)), resources)


def _neuron(namespace: str) -> Workload:
    neuron = {"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"}
    return Workload(
        "DaemonSet",
        "neuron-device-plugin-daemonset",
        namespace,
        Placement([_CRITICAL, neuron, _HEALTH], _on_types("neuron-device-plugin"), {}, "system-node-critical"),
        serves="aws.amazon.com/neuron",
    )


def _mpi(values: Mapping[str, Any]) -> Workload:
    return Workload(
        "Deployment",
        f"{CHART}-mpi-operator",
        _NAMESPACE,
        Placement.of(values),
        replicas=values.get("replicas", 1),
    )


def _form(options: Options) -> Source:
    """From the described repository, unless there is a chart mirror."""
    # Where another stack installs it the repository is not known.
    repository = options.repository if isinstance(options, HyperPodOptions) else None
    known = options.version in {None, ADDONS["hyperpod"].version}
    return Chart(repository or "", CHART, _values, mirrored=_mirrored if known else _plugins_mirrored)


ADDON = addon(
    "hyperpod",
    source=Chart("", CHART, _values, mirrored=_mirrored),
    workloads=_workloads,
    brings=_brings,
    form=_form,
)
