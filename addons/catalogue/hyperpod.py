"""AWS's umbrella chart `hyperpod-helm-chart`: its values and workloads. See `hyperpod.toml`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from muster.addon_sheets import ADDONS
from muster.addons.addon import Chart, Json
from muster.addons.catalogue import device_plugins
from muster.addons.context import AddonContext
from muster.addons.sheet import addon, defaults, mirrored, workloads
from muster.addons.values import at, over_defaults
from muster.addons.workload import JobKind, Workload, shortened
from muster.versions import HYPERPOD_AGENT

CHART = "hyperpod-helm-chart"

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


def _mirrored(registry: str, version: str) -> Json:
    """The bundled Neuron plugin has no value for its image; Muster's has. The agents of other versions than the pinned
    one are not known."""
    agent = {"health-monitoring-agent": {"hmaimage": f"{registry}/{HYPERPOD_AGENT}"}}
    return {**mirrored("hyperpod", registry), **(agent if version == ADDONS["hyperpod"].version else {})}


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(defaults("hyperpod"), given)
    return (*workloads("hyperpod", values), *_of_plugins(values))


def _of_plugins(values: Mapping[str, Any]) -> Iterator[Workload]:
    """Those of the sub-charts that are also add-ons of Muster."""
    if at(values, *_PLUGINS["nvidia-device-plugin"]):
        yield from workloads("nvidia-device-plugin", values["nvidia-device-plugin"], f"{CHART}-nvidia-device-plugin")
    if at(values, *_PLUGINS["efa-device-plugin"]):
        (plugin,) = device_plugins.EFA.workloads(values["aws-efa-k8s-device-plugin"])
        yield replace(plugin, name=shortened(f"{CHART}-{plugin.name}"))


def _brings(given: Mapping[str, Any]) -> dict[str, tuple[JobKind, ...]]:
    values = over_defaults(defaults("hyperpod"), given)
    plugins = {name: () for name, path in _PLUGINS.items() if at(values, *path)}
    return {**plugins, **{name: runs for name, (path, runs) in _OPERATORS.items() if at(values, *path)}}


ADDON = addon(
    "hyperpod",
    source=Chart("", CHART, _values, mirrored=_mirrored),
    workloads=_workloads,
    brings=_brings,
)
