"""How NVIDIA's device plugin shares the GPUs of a node: time slicing and MPS.

NVIDIA/k8s-device-plugin v0.20.0, README.md, "Shared Access to GPUs": `sharing.timeSlicing` and `sharing.mps` of a
configuration; `config.map` has configurations by name, and a node's label chooses one of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.config.description.addons import Addons, OtherChart

GPU = "nvidia.com/gpu"
SHARED_GPU = "nvidia.com/gpu.shared"

_CHOSEN_BY = "nvidia.com/device-plugin.config"
"""The label of a node that names its configuration."""

_PLUGIN = "nvidia-device-plugin"
_VALUES_IN_CHART: Mapping[str, tuple[str, ...]] = {_PLUGIN: (), "gpu-operator": ("devicePlugin",)}
"""Chart -> where the plugin's values are in the chart's. (In HyperPod's chart they are below the plugin's name.)"""


@dataclass(frozen=True, slots=True)
class GpuSharing:
    """How the GPUs of a node are shared."""

    how: str
    """``timeSlicing`` or ``mps``."""
    replicas: int
    """How often each GPU is offered."""
    renamed: bool
    """Whether they are offered as ``nvidia.com/gpu.shared``."""
    one_only: bool
    """Whether a container that requests more than one is refused."""
    at: str
    """Where the configuration is among the plugin's values: ``config.map.default``."""

    @property
    def resource(self) -> str:
        """The extended resource that the node offers."""
        return SHARED_GPU if self.renamed else GPU


def device_of(resource: str) -> str:
    """The resource by the name that the plugin registers without sharing."""
    return GPU if resource == SHARED_GPU else resource


def sharing_on(addons: Addons, labels: Mapping[str, str]) -> GpuSharing | None:
    """How the add-ons of a description share the GPUs of nodes with these labels; None where they do not."""
    return next(filter(None, (gpu_sharing(values, labels) for values in _plugin_values(addons))), None)


def _plugin_values(addons: Addons) -> Iterator[Mapping[str, Any]]:
    for name, options in addons.chosen.items():
        values = getattr(options, "values", None) or {}
        if name == _PLUGIN:
            yield values
        elif isinstance(nested := values.get(_PLUGIN), Mapping):
            yield nested
    for chart in addons.charts.values():
        if isinstance(chart, OtherChart) and chart.chart in _VALUES_IN_CHART:
            found = _at(chart.values, *_VALUES_IN_CHART[chart.chart])
            if isinstance(found, Mapping):
                yield found


def gpu_sharing(values: Mapping[str, Any], labels: Mapping[str, str]) -> GpuSharing | None:
    """How a plugin shares the GPUs of a node; None where it does not, or where its configuration is not known.

    Args:
        values: the plugin's.
        labels: the node's.
    """
    at, configurations = _configurations(values)
    name = _chosen(values, configurations, labels)
    configuration = _parsed(configurations.get(name)) if name is not None else None
    for how in ("timeSlicing", "mps"):
        sharing = _at(configuration, "sharing", how)
        for each in _mappings(_at(sharing, "resources")):
            replicas = each.get("replicas")
            if each.get("name") == GPU and isinstance(replicas, int) and replicas > 1:
                renamed = _at(sharing, "renameByDefault") is True  # `rename` is ignored (api/config/v1/replicas.go)
                given = _at(sharing, "failRequestsGreaterThanOne")
                one_only = given if isinstance(given, bool) else how == "mps"
                return GpuSharing(how, replicas, renamed, one_only, f"{at}.{name}")
    return None


def _configurations(values: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Where the configurations are, and they by name: the plugin's chart calls them map, the GPU operator's data."""
    for key in ("map", "data"):
        found = _at(values, "config", key)
        if isinstance(found, Mapping) and found:
            return f"config.{key}", found
    return "", {}


def _chosen(values: Mapping[str, Any], configurations: Mapping[str, Any], labels: Mapping[str, str]) -> str | None:
    """The configuration of a node: its label's, the default, the only one (templates/_helpers.tpl)."""
    default = _at(values, "config", "default")
    named = labels.get(_CHOSEN_BY) or (default if isinstance(default, str) else None)
    if named:
        return named
    if "default" in configurations:
        return "default"
    return next(iter(configurations)) if len(configurations) == 1 else None


def _parsed(text: object) -> Any:
    if not isinstance(text, str):
        return text
    import yaml  # noqa: PLC0415  (only descriptions with a configuration need it: check must be fast)

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _at(value: Any, *path: str) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list | tuple):
        yield from (each for each in value if isinstance(each, Mapping))
